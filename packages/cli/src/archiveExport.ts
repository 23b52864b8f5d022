/** sov archive export: the archive as a stream of rows, to stdout or to a file with a manifest. */
import {
  type Anchor,
  anchorOf,
  type AnswerId,
  type ArchiveFilters,
  ArchiveStore,
  exportContext,
  type OrganizationId,
  SealStore
} from "@sov/core"
import { Effect, Exit, Stream } from "effect"
import { rm } from "node:fs/promises"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { archiveFilters, type FilterOptions } from "./archiveFilters.ts"
import { usageError } from "./CliError.ts"
import { currentOrganization } from "./currentOrganization.ts"
import { checkTarget, partFile, type Sink } from "./exportFile.ts"
import { type Journal, readJournal, removeJournal, writeJournal } from "./exportJournal.ts"
import { contextFile, type Manifest, manifestFile } from "./exportManifest.ts"
import { type ExportFormat, nothingWritten, writeRows, type Written } from "./exportRows.ts"
import type { GlobalOptions } from "./GlobalOptions.ts"
import type { Output } from "./Output.ts"
import { rowProgress } from "./rowProgress.ts"
import { runCommand } from "./runtime.ts"
import { writeOut } from "./writeOut.ts"

interface ExportOptions extends GlobalOptions, FilterOptions {
  readonly format: ExportFormat
  readonly out: string
  readonly gzip?: boolean
  readonly resume?: boolean
}

/** A pipe gets small pieces soon; a file large ones, each of them a gzip member of its own. */
const pipePiece = 65_536
const filePiece = 262_144
/** The journal is written so often, after a piece. */
const noteEveryMs = 100

const compress = promisify(gzip)
// The fastest level: the next makes the file a tenth smaller and takes several times as long
const packed = (text: string) => Effect.promise(() => compress(text, { level: 1 }))

/** How far the stopped run was, and the chain's head when it began; else both as they are for a fresh one. */
const beginning = Effect.fnUntraced(function*(organizationId: OrganizationId, journal: Journal | null) {
  if (journal === null) {
    const head = yield* (yield* SealStore).head(organizationId)
    return { head: head === null ? null : anchorOf(head), from: nothingWritten, reached: null }
  }
  const from: Written = {
    rows: journal.rows,
    simulatedRows: journal.simulated_rows,
    firstId: journal.first_id,
    last: { id: journal.last_id as AnswerId, createdAt: new Date(journal.last_created_at) }
  }
  return { head: journal.chain_head, from, reached: journal }
})

const journalOf = (
  asked: string,
  head: Anchor | null,
  { firstId, last, rows, simulatedRows }: Written,
  reached: { readonly bytes: number; readonly sha256: string }
): Journal => ({
  sov_export_part: 1,
  asked,
  chain_head: head,
  rows,
  simulated_rows: simulatedRows,
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
  const part = yield* partFile(contextFile(file))
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
    return piece.length < filePiece ? Effect.void : flush
  }))
  yield* flush
  return { sealed, finish: part.finish }
})

const toFile = Effect.fnUntraced(function*(
  out: Output,
  organizationId: OrganizationId,
  filters: ArchiveFilters,
  options: ExportOptions
) {
  const file = resolve(options.out)
  const { format } = options
  const pack = options.gzip === true
  const asked = JSON.stringify([organizationId, format, pack, filters])
  yield* checkTarget(file, options.yes === true)
  const journal = options.resume === true ? yield* readJournal(file, asked) : null
  const { from, head, reached } = yield* beginning(organizationId, journal)
  let noted = journal !== null
  const data = yield* partFile(file, { from: reached, keep: () => noted })
  if (!noted) removeJournal(file)
  const description = yield* partFile(manifestFile(file))
  if (noted) out.note(`Going on after ${from.rows.toLocaleString("en-US")} answers.`)

  const total = out.quiet ? 0 : yield* (yield* ArchiveStore).count(organizationId, filters)
  const progress = rowProgress(out, "Exporting", Math.max(0, total - from.rows), "answers")
  let written = from
  let due = 0
  const note = () => {
    writeJournal(file, journalOf(asked, head, written, data.reached()))
    noted = true
    due = performance.now() + noteEveryMs
  }
  const rows = writeRows({
    organizationId,
    filters,
    format,
    from,
    pieceLength: filePiece,
    onRows: progress.add,
    write: Effect.fnUntraced(function*(piece: string, sofar: Written) {
      yield* data.write(pack ? yield* packed(piece) : piece)
      written = sofar
      if (performance.now() >= due) note()
    }, Effect.uninterruptible)
  })
  yield* rows.pipe(
    Effect.ensuring(Effect.sync(progress.clear)),
    Effect.onExit((exit) =>
      Effect.sync(() => {
        if (Exit.isFailure(exit) && noted) {
          note()
          out.note(
            `Stopped after ${written.rows.toLocaleString("en-US")} answers. Go on: the same command with --resume`
          )
        }
      })
    )
  )
  const context = format === "csv" ? null : yield* writeContext(organizationId, filters, file, head)
  const manifest: Manifest = yield* Effect.uninterruptible(Effect.gen(function*() {
    // A manifest of the file that is being replaced must not describe the new one, not even for a moment.
    yield* Effect.promise(() => rm(manifestFile(file), { force: true }))
    const contextHash = context === null ? null : yield* context.finish
    const made: Manifest = {
      sov_export: 1,
      format,
      gzip: pack,
      organization_id: organizationId,
      rows: written.rows,
      simulated_rows: written.simulatedRows,
      unsealed_rows: context === null ? null : written.rows - context.sealed,
      first_id: written.firstId,
      last_id: written.last?.id ?? null,
      from: filters.from?.toISOString() ?? null,
      to: filters.to?.toISOString() ?? null,
      keyword_id: filters.keywordId ?? null,
      platform: filters.platform ?? null,
      sha256: yield* data.finish,
      chain_head: head,
      context_sha256: contextHash,
      ...format === "csv"
        ? { csv_formula_guard: "cells that begin with = + - @ tab or CR have a leading apostrophe" }
        : {}
    }
    yield* description.write(`${JSON.stringify(made, undefined, 2)}\n`)
    yield* description.finish
    removeJournal(file)
    return made
  }))
  out.result(
    { file, ...manifest },
    () =>
      `${manifest.rows} answers${
        manifest.simulated_rows > 0 ? ` (${manifest.simulated_rows} SIMULATED)` : ""
      } in ${file}\n` +
      `sha256 ${manifest.sha256}`
  )
})

/** sov archive export */
export const exportAll = (options: ExportOptions) => {
  const toStdout = options.out === "-"
  const before = Effect.suspend(() =>
    toStdout && options.resume === true
      ? Effect.fail(usageError("an export to stdout cannot be resumed", "give --out FILE"))
      : toStdout && process.stdout.isTTY
      ? Effect.fail(usageError("an export would flood this terminal", "give --out FILE, or pipe it: … --out - | head"))
      : toStdout
      ? Effect.void
      : checkTarget(resolve(options.out), options.yes === true)
  )
  const stdout: Sink["write"] = (data) => writeOut(data)
  return runCommand(options, { before }, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const filters = yield* archiveFilters(organization.id, options)
      if (!toStdout) return yield* toFile(out, organization.id, filters, options)
      const progress = rowProgress(out, "Exporting", null, "answers")
      yield* writeRows({
        organizationId: organization.id,
        filters,
        format: options.format,
        from: nothingWritten,
        pieceLength: pipePiece,
        onRows: progress.add,
        write: (piece) => options.gzip === true ? Effect.flatMap(packed(piece), stdout) : stdout(piece)
      })
    }))
}
