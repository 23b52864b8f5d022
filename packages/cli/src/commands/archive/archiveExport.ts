/** sov archive export: the archive as a stream of rows, to stdout or to a file with a manifest. */
import {
  type Anchor,
  anchorFromSeal,
  type AnswerId,
  type ArchiveFilters,
  countAnswers,
  exportContext,
  exportedRowJson,
  exportPages,
  type OrganizationId,
  readChainHead,
  wholeHistory
} from "@sov/core"
import { Effect, Exit, Stream } from "effect"
import { resolve } from "node:path"
import { currentOrganization } from "../../input/currentOrganization.ts"
import type { Output } from "../../output/Output.ts"
import { checkTarget, createPartFile } from "../../output/partFile.ts"
import { makeRowProgress } from "../../output/rowProgress.ts"
import { runCommand } from "../../runtime.ts"
import { archiveFilters } from "./archiveFilters.ts"
import { findStoppedExport, type Journal, removeJournal, writeJournal } from "./exportJournal.ts"
import { claimExport } from "./exportLock.ts"
import { contextFile, describeRows, finishExport, manifestFile, noteExported } from "./exportManifest.ts"
import {
  checkExportOptions,
  type ExportOptions,
  exportToStdout,
  fileChunkLength,
  nothingWritten,
  writeRows,
  writeText,
  type Written
} from "./exportRows.ts"
import { flatHeap } from "./flatHeap.ts"

/** The journal is written so often, after a piece. */
const journalIntervalMs = 100

/** The rows after `after`, as REST gives them. */
const readPages = (
  organizationId: OrganizationId,
  filters: ArchiveFilters,
  head: Anchor | null = null,
  after: Written["last"] = null
) =>
  Stream.map(
    exportPages(organizationId, wholeHistory, filters, head, after ?? undefined),
    (rows) => rows.map(exportedRowJson)
  )

/** How far the stopped run was, and the chain's head when it began; else both as they are for a fresh one. */
const findStartingPoint = Effect.fnUntraced(function*(organizationId: OrganizationId, journal: Journal | null) {
  if (journal === null) {
    const head = yield* readChainHead(organizationId)
    return { head: head === null ? null : anchorFromSeal(head), from: nothingWritten, reached: null }
  }
  const from: Written = {
    rows: journal.rows,
    simulatedRows: journal.simulated_rows,
    withSources: journal.rows_with_sources ?? 0,
    firstId: journal.first_id,
    last: { id: journal.last_id as AnswerId, createdAt: new Date(journal.last_created_at) }
  }
  return { head: journal.chain_head, from, reached: journal }
})

const makeJournal = (
  asked: string,
  head: Anchor | null,
  { firstId, last, rows, simulatedRows, withSources }: Written,
  reached: { readonly bytes: number; readonly sha256: string }
): Journal => ({
  sov_export_part: 1,
  asked,
  chain_head: head,
  rows,
  simulated_rows: simulatedRows,
  rows_with_sources: withSources,
  first_id: firstId ?? "",
  last_id: last?.id ?? "",
  last_created_at: last?.createdAt.toISOString() ?? "",
  ...reached
})

/** Writes seals, scans, keywords and tracked sets; returns how many rows are sealed, and the means to end the file. */
const writeContext = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  filters: ArchiveFilters,
  file: string,
  head: Anchor | null
) {
  const part = yield* createPartFile(contextFile(file))
  let sealed = 0
  let piece = ""
  const flush = Effect.suspend(() => {
    const text = piece
    piece = ""
    return part.write(text)
  })
  yield* exportContext(organizationId, filters, head, (leaves) => {
    sealed += leaves
  }).pipe(Stream.runForEach((line) => {
    piece += `${line}\n`
    return piece.length < fileChunkLength ? Effect.void : flush
  }))
  yield* flush
  return { sealed, finish: part.finish }
})

const exportToFile = Effect.fnUntraced(function*(
  out: Output,
  organizationId: OrganizationId,
  filters: ArchiveFilters,
  options: ExportOptions
) {
  const file = resolve(options.out)
  const { format } = options
  const pack = options.gzip === true
  const asked = JSON.stringify([organizationId, format, pack, filters])
  yield* claimExport(file)
  const journal = options.resume === true ? yield* findStoppedExport(file, asked) : null
  yield* checkTarget(file, options.yes === true)
  const { from, head, reached } = yield* findStartingPoint(organizationId, journal)
  let noted = journal !== null
  const data = yield* createPartFile(file, { from: reached, keep: () => noted })
  if (!noted) removeJournal(file)
  const description = yield* createPartFile(manifestFile(file))
  if (noted) out.note(`Going on after ${from.rows.toLocaleString("en-US")} answers.`)

  const total = out.quiet ? 0 : yield* countAnswers(organizationId, filters)
  const progress = makeRowProgress(out, "Exporting", Math.max(0, total - from.rows), "answers")
  let written = from
  let due = 0
  const saveJournal = () => {
    writeJournal(file, makeJournal(asked, head, written, data.reached()))
    noted = true
    due = performance.now() + journalIntervalMs
  }
  const write = writeText(options, data)
  const rows = writeRows({
    pages: readPages(organizationId, filters, head, from.last),
    format,
    from,
    pieceLength: fileChunkLength,
    onRows: progress.add,
    write: Effect.fnUntraced(function*(piece: string, sofar: Written) {
      yield* write(piece)
      written = sofar
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
  const context = format === "csv" ? null : yield* writeContext(organizationId, filters, file, head)
  const manifest = yield* finishExport(
    file,
    description,
    Effect.gen(function*() {
      const contextHash = context === null ? null : yield* context.finish
      return {
        ...describeRows(options, filters, written),
        organization_id: organizationId,
        unsealed_rows: context === null ? null : written.rows - context.sealed,
        sha256: yield* data.finish,
        chain_head: head,
        context_sha256: contextHash
      }
    })
  )
  removeJournal(file)
  noteExported(out, file, manifest)
})

/** sov archive export */
export const exportAll = (options: ExportOptions) =>
  runCommand(options, { before: checkExportOptions(options) }, ({ out }) =>
    Effect.gen(function*() {
      flatHeap()
      const organization = yield* currentOrganization(options)
      const filters = yield* archiveFilters(organization.id, options)
      if (options.out !== "-") return yield* exportToFile(out, organization.id, filters, options)
      const progress = makeRowProgress(out, "Exporting", null, "answers")
      yield* exportToStdout(readPages(organization.id, filters), options, progress.add)
    }))
