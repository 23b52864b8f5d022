/** sov org export: writes all data of one organization to a folder. */
import { auditEntryJson, readAuditLog } from "@sov/core/audit"
import { maxLogPage, type OrganizationId } from "@sov/core/common"
import { exportRecords, findOrganization, organizationJson, wholeHistory } from "@sov/core/organizations"
import { Clock, Effect, Option, Stream } from "effect"
import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { usageError } from "../../CliError.ts"
import { checkTarget, createPartFile } from "../../output/partFile.ts"
import { pluralizeGrouped } from "../../render/counted.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { exportToFile } from "../archive/archiveExport.ts"
import { flatHeap } from "../archive/flatHeap.ts"

/** Streams the audit log as lines, newest first, one page at a time. */
const auditLines = (organizationId: OrganizationId) =>
  Stream.paginate(undefined as string | undefined, (cursor) =>
    Effect.map(
      readAuditLog(organizationId, wholeHistory, {}, { limit: maxLogPage, cursor }),
      ({ entries, nextCursor }) =>
        [[entries.map((entry) => JSON.stringify(auditEntryJson(entry)))], Option.fromNullOr(nextCursor)] as const
    ))

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
    const files = {
      "archive.ndjson": { rows: manifest.rows, sha256: manifest.sha256 },
      "records.ndjson": yield* writeLines(file("records.ndjson"), exportRecords(id)),
      "audit.ndjson": yield* writeLines(file("audit.ndjson"), auditLines(id))
    }
    const summary = {
      sov_organization_export: 1,
      organization: organizationJson(organization),
      exported_at: new Date(yield* Clock.currentTimeMillis).toISOString(),
      files
    }
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
