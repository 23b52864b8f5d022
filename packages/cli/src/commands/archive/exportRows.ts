/** The rows of an export as text, in pieces that depend on the rows alone: a resumed export writes the same bytes. */
import { countExportedRow, type ExportedRows, type ExportFormat, noRowsExported } from "@sov/core"
import type { ArchiveRow } from "@sov/http/fetch-client"
import { Effect, Stream } from "effect"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { type CliError, usageError } from "../../CliError.ts"
import { checkTarget, type Sink } from "../../output/partFile.ts"
import { writeOut } from "../../output/writeOut.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import type { FilterOptions } from "./archiveFilters.ts"
import { csvHeader, csvRow } from "./csvRow.ts"

export interface ExportOptions extends GlobalOptions, FilterOptions {
  readonly format: ExportFormat
  readonly out: string
  readonly gzip?: boolean
  readonly resume?: boolean
}

const exportLine = (format: ExportFormat, row: ArchiveRow): string =>
  format === "ndjson" ? `${JSON.stringify(row)}\n` : csvRow(row)

/** Writes the rows, which come after `from.last`; `write` gets each piece with what is written once it is. */
export const writeRows = Effect.fnUntraced(function*<E, R, R2>(
  { format, from, onRows, pages, pieceLength, write }: {
    readonly pages: Stream.Stream<ReadonlyArray<ArchiveRow>, E, R2>
    readonly format: ExportFormat
    readonly from: ExportedRows
    /** Pieces of about this many characters. */
    readonly pieceLength: number
    readonly onRows: (rows: number) => void
    readonly write: (piece: string, written: ExportedRows) => Effect.Effect<void, CliError, R>
  }
) {
  let written = from
  let piece = format === "csv" && from.rows === 0 ? csvHeader : ""
  yield* pages.pipe(Stream.runForEach(Effect.fnUntraced(
    function*(rows) {
      for (const row of rows) {
        written = countExportedRow(written, row)
        piece += exportLine(format, row)
        if (piece.length >= pieceLength) {
          yield* write(piece, written)
          piece = ""
        }
      }
      onRows(rows.length)
    }
  )))
  if (piece !== "") yield* write(piece, written)
  return written
})

const compress = promisify(gzip)
// The fastest level: the next makes the file a tenth smaller and takes several times as long
const gzipText = (text: string) => Effect.promise(() => compress(text, { level: 1 }))

/** The sink for text; with `--gzip` each piece is a gzip member of its own. */
export const writeText = ({ gzip }: ExportOptions, { write }: Sink) => (text: string) =>
  gzip === true ? Effect.flatMap(gzipText(text), write) : write(text)

/** A pipe gets small pieces soon; a file large ones. */
const stdoutChunkLength = 65_536
export const fileChunkLength = 262_144

/** Writes all rows to stdout. */
export const exportToStdout = <E, R>(
  pages: Stream.Stream<ReadonlyArray<ArchiveRow>, E, R>,
  options: ExportOptions,
  onRows: (rows: number) => void
) =>
  writeRows({
    pages,
    format: options.format,
    from: noRowsExported,
    pieceLength: stdoutChunkLength,
    onRows,
    write: writeText(options, { write: writeOut })
  })

/** What can be checked before the first row is read. */
export const checkExportOptions = ({ out, resume, yes }: ExportOptions): Effect.Effect<void, CliError> =>
  Effect.suspend(() =>
    out !== "-"
      // Where it goes on, what is there may be its own: that is known with the journal
      ? checkTarget(resolve(out), yes === true || resume === true)
      : resume === true
      ? Effect.fail(usageError("an export to stdout cannot be resumed", "give --out FILE"))
      : process.stdout.isTTY
      ? Effect.fail(usageError("an export would flood this terminal", "give --out FILE, or pipe it: … --out - | head"))
      : Effect.void
  )
