/** sov archive export: streams the rows of the archive to stdout, or to a file with a manifest. */
import {
  type Anchor,
  type ArchiveFilters,
  beginExport,
  type BegunExport,
  contextFile,
  estimateAnswers,
  exportedRowJson,
  type ExportedRows,
  manifestFile,
  noRowsExported
} from "@sov/core/archive"
import type { AnswerId, OrganizationId } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { findNamedTag, findTagged } from "@sov/core/tracking"
import { Effect, Exit, Stream } from "effect"
import { resolve } from "node:path"
import { currentOrganization } from "../../input/currentOrganization.ts"
import type { Output } from "../../output/Output.ts"
import { checkTarget, createPartFile } from "../../output/partFile.ts"
import { makeRowProgress } from "../../output/rowProgress.ts"
import { runCommand } from "../../runtime.ts"
import { collectFaults } from "./archiveFaults.ts"
import { archiveFilters } from "./archiveFilters.ts"
import { findStoppedExport, type Journal, removeJournal, writeJournal } from "./exportJournal.ts"
import { claimExport } from "./exportLock.ts"
import { finishExport, noteExported } from "./exportManifest.ts"
import {
  checkExportOptions,
  type ExportOptions,
  exportToStdout,
  fileChunkLength,
  writePiece,
  writeRows
} from "./exportRows.ts"
import { flatHeap } from "./flatHeap.ts"
import { makeRowEncoder } from "./rowEncoder.ts"

/** Minimum milliseconds between two writes of the journal, which is written after a piece. */
const journalIntervalMs = 100

/** Converts rows to the JSON of the REST API. */
const toJson = (pages: ReturnType<BegunExport["pages"]>) => Stream.map(pages, (rows) => rows.map(exportedRowJson))

/** The rows that the interrupted run wrote. */
const findWritten = (journal: Journal | null): ExportedRows =>
  journal === null ? noRowsExported : {
    rows: journal.rows,
    simulatedRows: journal.simulated_rows,
    withSources: journal.rows_with_sources ?? 0,
    firstId: journal.first_id,
    last: { id: journal.last_id as AnswerId, createdAt: new Date(journal.last_created_at) }
  }

const makeJournal = (
  asked: string,
  head: Anchor | null,
  { firstId, last, rows, simulatedRows, withSources }: ExportedRows,
  state: string | null,
  faults: number,
  reached: { readonly bytes: number; readonly sha256: string }
): Journal => ({
  sov_export_part: 1,
  asked,
  chain_head: head,
  rows,
  simulated_rows: simulatedRows,
  rows_with_sources: withSources,
  ...faults === 0 ? {} : { faults },
  first_id: firstId ?? "",
  last_id: last?.id ?? "",
  last_created_at: last?.createdAt.toISOString() ?? "",
  ...state === null ? {} : { state },
  ...reached
})

/** Writes seals, scans, keywords and tracked sets to a part file, which the caller finishes. */
const writeContext = Effect.fnUntraced(function*({ context }: BegunExport, file: string) {
  const part = yield* createPartFile(contextFile(file))
  let piece = ""
  const flush = Effect.suspend(() => {
    const text = piece
    piece = ""
    return part.write(text)
  })
  yield* context.pipe(Stream.runForEach((line) => {
    piece += `${line}\n`
    return piece.length < fileChunkLength ? Effect.void : flush
  }))
  yield* flush
  return part
})

/**
 * Writes the export and its manifest. Prints only progress; returns the file, its manifest and the faults found in the
 * archive.
 */
export const exportToFile = Effect.fnUntraced(function*(
  out: Output,
  organizationId: OrganizationId,
  filters: ArchiveFilters,
  options: ExportOptions
) {
  const file = resolve(options.out)
  const { format } = options
  const pack = options.gzip === true
  // If different keywords have the tag now, the interrupted export was a different one and is not resumed
  const tagged = filters.tag === undefined ? [] : [(yield* findTagged(organizationId, filters.tag)).toSorted()]
  const asked = JSON.stringify([organizationId, format, pack, filters, ...tagged])
  yield* claimExport(file)
  const journal = options.resume === true ? yield* findStoppedExport(file, asked) : null
  yield* checkTarget(file, options.yes === true)
  yield* checkTarget(manifestFile(file), true)
  const faults = collectFaults(journal?.faults)
  const begun = yield* beginExport(organizationId, wholeHistory, filters, {
    onProblem: faults.onProblem,
    ...journal === null ? {} : { resumed: { head: journal.chain_head } }
  })
  const { head } = begun
  const from = findWritten(journal)
  let noted = journal !== null
  const data = yield* createPartFile(file, { from: journal, keep: () => noted })
  if (!noted) removeJournal(file)
  const description = yield* createPartFile(manifestFile(file))
  if (noted) out.note(`Going on after ${from.rows.toLocaleString("en-US")} answers.`)

  const about = out.quiet ? 0 : yield* estimateAnswers(organizationId, filters)
  const progress = makeRowProgress(out, "Exporting", { about: about - from.rows }, "answers")
  const encoder = yield* Effect.promise(() =>
    makeRowEncoder(format, { rows: from.rows, state: journal?.state ?? null }, fileChunkLength)
  )
  let written = from
  let state = journal?.state ?? null
  let noticed = faults.count()
  let due = 0
  const saveJournal = () => {
    writeJournal(file, makeJournal(asked, head, written, state, noticed, data.reached()))
    noted = true
    due = performance.now() + journalIntervalMs
  }
  const write = writePiece(options, data)
  const rows = writeRows({
    pages: toJson(begun.pages(from.last)),
    encoder,
    from,
    onRows: progress.add,
    write: Effect.fnUntraced(function*(piece: string | Uint8Array, sofar: ExportedRows) {
      yield* write(piece)
      written = sofar
      state = encoder.state()
      noticed = faults.count()
      if (sofar.rows > 0 && performance.now() >= due) saveJournal()
    }, Effect.uninterruptible)
  })
  yield* rows.pipe(
    Effect.ensuring(Effect.sync(progress.clear)),
    Effect.onExit((exit) =>
      Effect.sync(() => {
        if (!noted) return
        saveJournal()
        if (Exit.isFailure(exit)) {
          out.note(
            `Stopped after ${written.rows.toLocaleString("en-US")} answers. Go on: the same command with --resume`
          )
        }
      })
    )
  )
  yield* begun.checkChain({ resumed: journal !== null })
  const context = format === "ndjson" ? yield* writeContext(begun, file) : null
  const manifest = yield* finishExport(
    file,
    description,
    Effect.gen(function*() {
      const contextSha256 = context === null ? null : yield* context.finish
      return begun.describe({ format, gzip: pack, sha256: yield* data.finish }, written, contextSha256, faults.count())
    })
  )
  removeJournal(file)
  return { file, manifest, faults }
})

/** Runs `sov archive export`. */
export const exportAll = (options: ExportOptions) =>
  runCommand(options, { before: checkExportOptions(options) }, function*({ out }) {
    flatHeap()
    const organization = yield* currentOrganization(options)
    const filters = yield* archiveFilters(organization.id, options)
    // An empty list on stdout is a valid result, but an empty file could hide a misspelled tag
    if (filters.tag !== undefined) yield* findNamedTag(organization.id, filters.tag)
    if (options.out !== "-") {
      const { faults, file, manifest } = yield* exportToFile(out, organization.id, filters, options)
      noteExported(out, file, manifest, faults.named())
      return yield* faults.failIfAny
    }
    const progress = makeRowProgress(out, "Exporting", null, "answers")
    const faults = collectFaults()
    const begun = yield* beginExport(organization.id, wholeHistory, filters, { onProblem: faults.onProblem })
    yield* exportToStdout(toJson(begun.pages()), options, progress.add)
    yield* begun.checkChain({ resumed: false })
    yield* faults.failIfAny
  })
