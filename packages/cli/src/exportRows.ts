/** Rows of the archive as an export writes them: to stdout, or to a file with a manifest. */
import type { ArchiveRow } from "@sov/http/fetch-client"
import { Effect, Stream } from "effect"
import { rm } from "node:fs/promises"
import { resolve } from "node:path"
import type { FilterOptions } from "./archiveFilters.ts"
import { usageError } from "./CliError.ts"
import { checkTarget, partFile, type Sink } from "./exportFile.ts"
import type { GlobalOptions } from "./GlobalOptions.ts"
import { csvLine, type Output } from "./Output.ts"
import { writeOut } from "./writeOut.ts"

export interface ExportOptions extends GlobalOptions, FilterOptions {
  readonly format: "ndjson" | "csv"
  readonly out: string
}

/** Where the rows come from, for the manifest. */
export interface ExportOrigin {
  /** Null where a server does not say it. */
  readonly organizationId: string | null
  readonly from?: Date
  readonly to?: Date
  readonly keywordId?: string
  readonly platform?: string
}

/** What was written, in the order of writing (newest first). */
interface Written {
  readonly rows: number
  readonly simulatedRows: number
  readonly firstId: string | null
  readonly lastId: string | null
}

const csvFields = [
  "id",
  "scan_id",
  "platform",
  "keyword_id",
  "prompt_used",
  "raw_response",
  "brand_mentioned",
  "mention_count",
  "mention_position",
  "sentiment",
  "sov_score",
  "created_at",
  "simulated"
] as const

/** One row as text. In CSV every row says whether it is simulated: there it is a column. */
const exportLine = (format: "ndjson" | "csv", row: ArchiveRow): string =>
  format === "ndjson"
    ? `${JSON.stringify(row)}\n`
    : csvLine(csvFields.map((field) => field === "simulated" ? row.simulated === true : row[field]))

/** Rows are handed on in pieces of about this many characters. */
const pieceLength = 65_536
const sayEveryMs = 5_000

const writeRows = Effect.fnUntraced(function*<E, R>(
  out: Output,
  rows: Stream.Stream<ArchiveRow, E, R>,
  format: "ndjson" | "csv",
  sink: Sink
) {
  let written: Written = { rows: 0, simulatedRows: 0, firstId: null, lastId: null }
  let piece = format === "csv" ? csvLine(csvFields) : ""
  let due = performance.now() + sayEveryMs
  const flush = Effect.suspend(() => {
    const text = piece
    piece = ""
    return text === "" ? Effect.void : sink.write(text)
  })
  yield* Stream.runForEach(rows, (row) => {
    written = {
      rows: written.rows + 1,
      simulatedRows: written.simulatedRows + (row.simulated === true ? 1 : 0),
      firstId: written.firstId ?? row.id,
      lastId: row.id
    }
    piece += exportLine(format, row)
    if (performance.now() > due) {
      due = performance.now() + sayEveryMs
      out.note(`${written.rows} answers …`)
    }
    return piece.length < pieceLength ? Effect.void : flush
  })
  yield* flush
  return written
})

const toFile = Effect.fnUntraced(function*<E, R>(
  out: Output,
  rows: Stream.Stream<ArchiveRow, E, R>,
  origin: ExportOrigin,
  options: ExportOptions
) {
  const file = resolve(options.out)
  const { format } = options
  yield* checkTarget(file, options.yes === true)
  const data = yield* partFile(file)
  const description = yield* partFile(`${file}.manifest.json`)
  const written = yield* writeRows(out, rows, format, data)
  const sha256 = yield* Effect.uninterruptible(Effect.gen(function*() {
    // A manifest of the file that is being replaced must not describe the new one, not even for a moment.
    yield* Effect.promise(() => rm(`${file}.manifest.json`, { force: true }))
    return yield* data.finish
  }))
  const manifest = {
    format,
    organization_id: origin.organizationId,
    rows: written.rows,
    simulated_rows: written.simulatedRows,
    first_id: written.firstId,
    last_id: written.lastId,
    from: origin.from?.toISOString() ?? null,
    to: origin.to?.toISOString() ?? null,
    keyword_id: origin.keywordId ?? null,
    platform: origin.platform ?? null,
    sha256,
    ...format === "csv"
      ? { csv_formula_guard: "cells that begin with = + - @ tab or CR have a leading apostrophe" }
      : {}
  }
  yield* description.write(`${JSON.stringify(manifest, undefined, 2)}\n`)
  yield* description.finish
  out.result(
    { file, ...manifest },
    () =>
      `${written.rows} answers${
        written.simulatedRows > 0 ? ` (${written.simulatedRows} SIMULATED)` : ""
      } in ${file}\n` +
      `sha256 ${sha256}`
  )
})

/** What can be checked before the first row is read. */
export const checkExport = (options: ExportOptions) =>
  Effect.suspend(() =>
    options.out !== "-"
      ? checkTarget(resolve(options.out), options.yes === true)
      : process.stdout.isTTY
      ? Effect.fail(usageError("an export would flood this terminal", "give --out FILE, or pipe it: … --out - | head"))
      : Effect.void
  )

/** Writes the rows to where `--out` says, and the manifest beside a file. */
export const writeExport = <E, R>(
  out: Output,
  rows: Stream.Stream<ArchiveRow, E, R>,
  origin: ExportOrigin,
  options: ExportOptions
) =>
  options.out === "-"
    ? Effect.asVoid(writeRows(out, rows, options.format, { write: writeOut }))
    : toFile(out, rows, origin, options)
