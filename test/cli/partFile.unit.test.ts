/** Who may read what commands write. */
import { Effect } from "effect"
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { createPartFile } from "../../packages/cli/src/output/partFile.ts"
import { workspace } from "../support/sov.ts"

const modeOf = (file: string) => statSync(file).mode & 0o777

const write = (file: string, options?: Parameters<typeof createPartFile>[1]) =>
  Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const part = yield* createPartFile(file, options)
    expect(modeOf(`${file}.part`) & 0o077).toBe(options?.shared === true ? 0o077 & ~process.umask() & 0o066 : 0)
    yield* part.write("text")
    yield* part.finish
  })))

describe("a file that a command writes", () => {
  it("only its user may read the file, even if a public file existed before", async () => {
    const file = join(workspace(), "export.ndjson")
    await write(file)
    expect(modeOf(file)).toBe(0o600)
    for (const open of [file, `${file}.part`]) writeFileSync(open, "before", { mode: 0o644 })
    await write(file)
    expect([modeOf(file), readFileSync(file, "utf8")]).toEqual([0o600, "text"])
  })

  it("the file is never written through a link", async () => {
    const dir = workspace()
    const [file, other] = [join(dir, "export.ndjson"), join(dir, "other")]
    writeFileSync(other, "of somebody else")
    symlinkSync(other, `${file}.part`)
    await write(file)
    expect(readFileSync(other, "utf8")).toBe("of somebody else")
  })

  it("the file may be readable for everybody if it is a web page", async () => {
    const file = join(workspace(), "card.html")
    await write(file, { shared: true })
    expect(modeOf(file)).toBe(0o666 & ~process.umask())
  })
})
