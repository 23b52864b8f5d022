import { toArchivableText } from "@sov/core"
import { expect, it } from "vitest"

it("archivable text replaces only characters that Postgres or UTF-8 cannot store", () => {
  expect(toArchivableText("a\u0000b\ud800c \r\n\t🛠\u200b ")).toBe("a\ufffdb\ufffdc \r\n\t🛠\u200b ")
})
