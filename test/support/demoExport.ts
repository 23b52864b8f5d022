/** The archive of a demo, exported to `a.ndjson` and its accompanying files. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, inject } from "vitest"
import { copyDataDirectory } from "./embeddedTemplate.ts"
import { sovJson } from "./sov.ts"

export interface ExportedRow {
  readonly id: string
  readonly scan_id: string
  readonly raw_response: string
}

/** Options for commands that use the demo's database. */
export const demo = ["--data-dir", ".sov-demo"]
/** The endings of the names of an export's files. */
export const beside = ["", ".manifest.json", ".context.ndjson"]

/** Creates the export before the tests of a file, and removes it after them; only tests may read it. */
export const exportedDemo = () => {
  const made = {
    cwd: "",
    manifest: { sha256: "", chain_head: { sequence: 0, hash: "" } },
    rowsOf: (file: string) =>
      readFileSync(join(made.cwd, file), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line) as ExportedRow)
  }
  beforeAll(async () => {
    made.cwd = mkdtempSync(join(tmpdir(), "sov-archive-"))
    copyDataDirectory(inject("embeddedTemplate"), join(made.cwd, ".sov-demo"))
    await sovJson(made.cwd, ["demo", "--weeks", "2"])
    made.manifest = await sovJson(made.cwd, ["archive", "export", "--out", "a.ndjson", ...demo])
  }, 120_000)
  afterAll(() => rmSync(made.cwd, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  return made
}
