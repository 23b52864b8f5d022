/** All names that earlier versions exported must remain, because programs that embed sov use them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it, onTestFinished } from "vitest"
import { readExportedNames } from "./exportedNames.ts"

const packages = fileURLToPath(new URL("../../packages/", import.meta.url))

/**
 * Removed names: parts of the delivery worker, of the sweep of scans and of a fast path of tool calls, which were
 * exported only for sov's own tests; the check of a seed that no entry reads any more; and the separate tests of
 * trends, which `findMovements` now decides together.
 */
const removed = new Set([
  "DeliveryLedger",
  "NamedTrends",
  "PostScheduler",
  "findNamedTrends",
  "findUsualCall",
  "isSeed",
  "makeDeliveryReader",
  "makeDeliveryRecorder",
  "pairedTrend",
  "runScheduleWorker",
  "sweepScans"
])

/**
 * Reads `publicNames.txt`: a heading for each entry point, `@sov/core/sov values` or `… types`, followed by its names.
 */
const readList = (): ReadonlyArray<{ entry: string; kind: string; names: ReadonlyArray<string> }> =>
  readFileSync(new URL("publicNames.txt", import.meta.url), "utf8").trim().split("\n\n").map((part) => {
    const [heading = "", ...lines] = part.split("\n")
    const [entry = "", kind = ""] = heading.split(" ")
    return { entry, kind, names: lines.join(" ").split(" ") }
  })

/** Path of the source of an entry point such as `@sov/core/sov`. */
const sourceOf = (entry: string): string => {
  const [, name = "", ...below] = entry.split("/")
  const manifest: { readonly exports: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(packages, name, "package.json"), "utf8")
  )
  return join(packages, name, manifest.exports[[".", ...below].join("/")] ?? `no entry point ${entry}`)
}

it.each(readList())(
  "the entry $entry still exports all $kind that earlier versions exported",
  ({ entry, kind, names }) => {
    const exported = readExportedNames(sourceOf(entry))
    const missing = names.filter((name) =>
      !removed.has(name) && exported.get(name) !== "value" && (kind === "values" || !exported.has(name))
    )
    expect(missing).toEqual([])
  }
)

it("the test finds exported declarations, lists, re-exports, and exports that are only types", () => {
  const folder = mkdtempSync(join(tmpdir(), "sov-names-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, "other.ts"), "export const a = 1\nexport type B = 1\nexport const c = 1\n")
  writeFileSync(
    join(folder, "one.ts"),
    `export * from "./other.ts"\nexport { type B as D, c as e } from "./other.ts"\nexport { B as F } from "./other.ts"
export class G {}\nexport interface H {}\nexport const I = 1\nexport type I = 1\nexport function j() {}\n`
  )
  expect(Object.fromEntries(readExportedNames(join(folder, "one.ts")))).toEqual({
    a: "value",
    B: "type",
    c: "value",
    D: "type",
    e: "value",
    F: "type",
    G: "value",
    H: "type",
    I: "value",
    j: "value"
  })
})
