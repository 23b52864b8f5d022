import { toArchivableText } from "@sov/core"
import { expect, it } from "vitest"

it("archivable text keeps everything but what Postgres and UTF-8 cannot hold", () => {
  expect(toArchivableText("a\u0000b\ud800c \r\n\t🛠\u200b ")).toBe("a\ufffdb\ufffdc \r\n\t🛠\u200b ")
})
