/** Writes the rows of an export, piece by piece, to a file or stdout. */
import { countExportedRow, type ExportedRows, type ExportFormat, noRowsExported } from "@sov/core/archive"
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
import { makeRowEncoder, type RowEncoder } from "./rowEncoder.ts"

export interface ExportOptions extends GlobalOptions, FilterOptions {
  readonly format: ExportFormat
  readonly out: string
  readonly gzip?: boolean
  readonly resume?: boolean
}

/**
 * Writes the rows after `from`, then the end of the format. `write` gets each piece, and the totals that apply once it
 * is written.
 */
export const writeRows = Effect.fnUntraced(function*<E, R, R2>(
  { encoder, from, onRows, pages, write }: {
    readonly pages: Stream.Stream<ReadonlyArray<ArchiveRow>, E, R2>
    readonly encoder: RowEncoder
    readonly from: ExportedRows
    readonly onRows: (rows: number) => void
    readonly write: (piece: string | Uint8Array, written: ExportedRows) => Effect.Effect<void, CliError, R>
  }
) {
  let written = from
  const writeAny = (piece: string | Uint8Array) => piece.length === 0 ? Effect.void : write(piece, written)
  yield* pages.pipe(Stream.runForEach(Effect.fnUntraced(
    function*(rows) {
      for (const row of rows) {
        written = countExportedRow(written, row)
        encoder.add(row)
        if (encoder.isFull()) yield* writeAny(encoder.take())
      }
      onRows(rows.length)
    }
  )))
  yield* writeAny(encoder.take())
  yield* writeAny(encoder.end())
  return written
})

const compress = promisify(gzip)
// The fastest level: the next level makes the file a tenth smaller but takes several times as long
const gzipPiece = (piece: string | Uint8Array) => Effect.promise(() => compress(piece, { level: 1 }))

/** Writes pieces to the sink; with `--gzip` each piece becomes a separate gzip member. */
export const writePiece = ({ gzip }: ExportOptions, { write }: Sink) => (piece: string | Uint8Array) =>
  gzip === true ? Effect.flatMap(gzipPiece(piece), write) : write(piece)

/** Length of a piece: small for a pipe, so that data arrives soon, and large for a file. */
const stdoutChunkLength = 65_536
export const fileChunkLength = 262_144

/** Writes all rows to stdout. */
export const exportToStdout = <E, R>(
  pages: Stream.Stream<ReadonlyArray<ArchiveRow>, E, R>,
  options: ExportOptions,
  onRows: (rows: number) => void
) =>
  Effect.flatMap(
    Effect.promise(() => makeRowEncoder(options.format, { rows: 0, state: null }, stdoutChunkLength)),
    (encoder) =>
      writeRows({ pages, encoder, from: noRowsExported, onRows, write: writePiece(options, { write: writeOut }) })
  )

/** Checks the options before the first row is read. */
export const checkExportOptions = ({ format, gzip, out, resume, yes }: ExportOptions): Effect.Effect<void, CliError> =>
  Effect.suspend(() =>
    format === "parquet" && gzip === true
      ? Effect.fail(usageError("Parquet is compressed already (Snappy)", "leave out --gzip"))
      : out !== "-"
      // With --resume, an existing file may be the interrupted export itself; only the journal can tell
      ? checkTarget(resolve(out), yes === true || resume === true)
      : resume === true
      ? Effect.fail(usageError("an export to stdout cannot be resumed", "give --out FILE"))
      : process.stdout.isTTY
      ? Effect.fail(usageError("an export would flood this terminal", "give --out FILE, or pipe it: … --out - | head"))
      : Effect.void
  )
