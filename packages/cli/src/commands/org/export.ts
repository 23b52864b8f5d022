/** sov org export: writes all data of one organization to a folder. */
import { auditEntryJson, streamAuditLog } from "@sov/core/audit"
import { exportRecords, findOrganization, organizationExportJson } from "@sov/core/organizations"
import { Clock, Effect, Stream } from "effect"
import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { usageError } from "../../CliError.ts"
import { checkTarget, createPartFile } from "../../output/partFile.ts"
import { pluralizeGrouped } from "../../render/counted.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { exportToFile } from "../archive/archiveExport.ts"
import { flatHeap } from "../archive/flatHeap.ts"

const writeLines = Effect.fnUntraced(function*<E, R>(file: string, pages: Stream.Stream<ReadonlyArray<string>, E, R>) {
  const part = yield* createPartFile(file)
  let rows = 0
  yield* Stream.runForEach(pages, (lines) => {
    rows += lines.length
    return lines.length === 0 ? Effect.void : part.write(`${lines.join("\n")}\n`)
  })
  return { rows, sha256: yield* part.finish }
})

/** This file is written last, so a folder that contains it is complete. */
const summaryFile = "export.json"

const makeFolder = (dir: string) =>
  Effect.try({
    try: () => mkdirSync(dir, { recursive: true, mode: 0o700 }),
    catch: (error) =>
      usageError(`cannot make the folder ${dir}: ${(error as NodeJS.ErrnoException).code}`, "name another folder")
  })

/** Runs `sov org export SLUG DIR`. */
export const exportOrganization = (options: GlobalOptions, slug: string, given: string) => {
  const dir = resolve(given)
  const file = (name: string) => join(dir, name)
  const before = checkTarget(file(summaryFile), options.yes === true)
  return runCommand(options, { before }, function*({ out }) {
    flatHeap()
    const organization = yield* findOrganization(slug)
    const { id } = organization
    yield* makeFolder(dir)
    const archive = { ...options, format: "ndjson", out: file("archive.ndjson") } as const
    const { faults, manifest } = yield* exportToFile(out, id, {}, archive)
    const auditLines = Stream.map(streamAuditLog(id), (page) => page.map((one) => JSON.stringify(auditEntryJson(one))))
    const files = {
      "archive.ndjson": { rows: manifest.rows, sha256: manifest.sha256 },
      "records.ndjson": yield* writeLines(file("records.ndjson"), exportRecords(id)),
      "audit.ndjson": yield* writeLines(file("audit.ndjson"), auditLines)
    }
    const summary = organizationExportJson(organization, new Date(yield* Clock.currentTimeMillis), files)
    const part = yield* createPartFile(file(summaryFile))
    yield* part.write(`${JSON.stringify(summary, null, 2)}\n`)
    yield* part.finish
    out.result({ dir, ...summary }, () =>
      [
        `Exported ${organization.name} to ${dir}:`,
        `  archive.ndjson  ${pluralizeGrouped(manifest.rows, "answer")}, checked by: sov archive verify --file`,
        `  records.ndjson  ${pluralizeGrouped(files["records.ndjson"].rows, "row")} of settings and everything else`,
        `  audit.ndjson    ${pluralizeGrouped(files["audit.ndjson"].rows, "entry", "entries")}`
      ].join("\n"))
    yield* faults.failIfAny
  })
}
