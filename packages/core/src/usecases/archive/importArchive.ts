import { type Array, Effect, Stream } from "effect"
import { readContextLine, readExportedRow } from "../../domain/archive/ExportContext.ts"
import { leafInputFromRow } from "../../domain/archive/Proof.ts"
import type { ScanId } from "../../domain/ids.ts"
import type { Organization } from "../../domain/organizations/Organization.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { keywordStatuses } from "../../domain/tracking/Keyword.ts"
import { ArchiveStore, type ExportedAnswer } from "../../ports/ArchiveStore.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { SealStore } from "../../ports/SealStore.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { type TrackedSetChanged, TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { recordActs } from "../audit/recordActs.ts"
import { InvalidExport, OrganizationNotEmpty } from "../errors.ts"
import { hasUnscored } from "../measuring/rescore.ts"
import { endCancelled } from "../scanning/completeScan.ts"
import type { ExportFiles } from "./verifyExport.ts"

/** Counts of imported records. */
export interface ImportResult {
  readonly answers: number
  readonly scans: number
  readonly seals: number
  /** Number of scans without a seal in the export, which the import cancelled and sealed. */
  readonly resealed: number
}

const batchRows = 100

/** The status of an imported row's sources, by the status that the row names. */
const statusByName = { sealed: "complete", unreadable: "unreadable", unknown: "unsupported" } as const

const makeDamagedError = (message: string) => new InvalidExport({ reason: "damaged", message })

const failUnlessEmpty = Effect.fnUntraced(function*(organization: Organization) {
  const { id } = organization
  const used = (yield* (yield* ScanStore).list(id, { limit: 1 })).length > 0 ||
    (yield* (yield* KeywordStore).list(id, keywordStatuses)).length > 0 ||
    (yield* (yield* TrackedSetStore).current(id)) !== null
  if (used) return yield* new OrganizationNotEmpty({ name: organization.name, unscored: yield* hasUnscored(id) })
})

/** The scan as it was sealed. A scan without a seal is cancelled after its answers are imported. */
const toImportedScan = (scan: Scan, sealed: boolean): Scan => ({
  ...scan,
  quotaPeriod: null,
  ...sealed ? {} : { status: "running", completedAt: null }
})

/** Explains a value that the schema forbids, so that it cannot come from an export; `where` names the lines. */
const explainRejection = (where: string) =>
  Effect.mapError((error: StoreError | TrackedSetChanged | InvalidExport) =>
    error._tag === "TrackedSetChanged" || error._tag === "StoreError" && error.reason === "constraint"
      ? makeDamagedError(`${where} cannot be kept: ${error.message}`)
      : error
  )

/** Finds the scans that have a seal. The file is read once in advance, because seals follow scans in it. */
const findSealedScans = Effect.fnUntraced(function*<E>(files: ExportFiles<E>) {
  const scans = new Set<ScanId>()
  yield* Stream.runForEach(files.context, ({ text }) =>
    Effect.sync(() => {
      const line = readContextLine(text)
      if (line !== null && "seal" in line) scans.add(line.seal.header.scanId)
    }))
  return scans
})

const restoreContext = Effect.fnUntraced(function*<E>(organization: Organization, files: ExportFiles<E>) {
  const [cells, keywords, scans] = yield* Effect.all([CellStore, KeywordStore, ScanStore])
  const [seals, sets] = yield* Effect.all([SealStore, TrackedSetStore])
  const sealed = yield* findSealedScans(files)
  const open: Array<ScanId> = []
  const counts = { scans: 0, seals: 0 }
  let number = 0
  const restore = Effect.fnUntraced(function*(text: string) {
    const line = readContextLine(text)
    if (line === null) return yield* makeDamagedError(`line ${number} of the context file says nothing known`)
    if ("tracked_set" in line) return yield* sets.append(organization.id, line.tracked_set)
    if ("keyword" in line) return yield* keywords.add(organization.id, [line.keyword])
    if ("scan" in line) {
      const ended = sealed.has(line.scan.id)
      if (ended && line.scan.status === "running") {
        return yield* makeDamagedError(
          `line ${number} of the context file says that scan ${line.scan.id} runs, and it is sealed`
        )
      }
      const scan = toImportedScan(line.scan, ended)
      if (scan.status === "running") open.push(scan.id)
      counts.scans++
      return yield* scans.insert(organization.id, scan)
    }
    if ("failed_cells" in line) {
      return yield* cells.restoreFailed(organization.id, line.failed_cells.scanId, line.failed_cells.cells)
    }
    const { header, leaves } = line.seal
    const held = (leaves ?? []).flatMap(({ hash, id }) => id === null ? [] : [{ id, hash }])
    if (held.length !== header.leafCount) {
      return yield* new InvalidExport({ reason: "partial", message: "the export holds only a part of the archive" })
    }
    counts.seals++
    yield* seals.insert(organization.id, { ...header, leaves: held })
  })
  yield* Stream.runForEach(files.context, ({ text }) => {
    number++
    return explainRejection(`line ${number} of the context file`)(restore(text))
  })
  return { ...counts, open }
})

/**
 * Imports an NDJSON export into an empty organization: answers, failed cells, scans, keywords, tracked sets and seals,
 * with their ids, in one transaction. A scan without a seal was still running when the export began, so its data is
 * incomplete and the import cancels it. An import causes no event, alert or e-mail. `files` must have been verified,
 * and their streams must fail if the content has changed since. Fails with OrganizationNotEmpty, or with InvalidExport
 * if the export is partial or damaged. `onAnswers` receives the size of each batch.
 */
export const importArchive = Effect.fn("importArchive")(function*<E>(
  organization: Organization,
  files: ExportFiles<E>,
  onAnswers: (answers: number) => void
) {
  const archive = yield* ArchiveStore
  const { run } = yield* Transaction
  return yield* run(Effect.gen(function*() {
    // A concurrent import waits here and then finds a non-empty organization
    yield* (yield* SealStore).lockHead(organization.id)
    yield* failUnlessEmpty(organization)
    const { open, ...counts } = yield* restoreContext(organization, files)
    let line = 0
    let answers = 0
    yield* files.rows.pipe(
      Stream.mapEffect((text) => {
        const row = readExportedRow(text)
        line++
        if (row === null) return Effect.fail(makeDamagedError(`line ${line} of the export is no answer`))
        const answer: ExportedAnswer = {
          ...leafInputFromRow(row),
          platform: row.platform,
          keywordId: row.keyword_id,
          simulated: row.simulated === true,
          reported: {
            status: statusByName[row.sources_status ?? "unknown"],
            cut: row.sources_cut ?? 0
          }
        }
        return Effect.succeed(answer)
      }),
      Stream.grouped(batchRows),
      Stream.runForEach((batch: Array.NonEmptyReadonlyArray<ExportedAnswer>) =>
        Effect.tap(
          explainRejection(`one of ${batch.length} lines after line ${answers}`)(
            archive.restore(organization.id, batch)
          ),
          () =>
            Effect.sync(() => {
              answers += batch.length
              onAnswers(batch.length)
            })
        )
      )
    )
    yield* Effect.forEach(open, (scanId) => endCancelled(organization.id, scanId), { discard: true })
    const result: ImportResult = { ...counts, answers, resealed: open.length }
    const { scans, seals } = counts
    yield* recordActs(organization.id, [
      { action: "archive.imported", subjectId: organization.id, detail: { answers, scans, seals } }
    ])
    return result
  }))
})
