/** The rows of an export as text, in pieces that depend on the rows alone: a resumed export writes the same bytes. */
import {
  type ArchiveFilters,
  type ArchivePosition,
  type ArchiveRow,
  archiveRowJson,
  exportPages,
  type OrganizationId
} from "@sov/core"
import { Effect, Stream } from "effect"
import type { CliError } from "./CliError.ts"
import { csvLine } from "./Output.ts"

export type ExportFormat = "ndjson" | "csv"

/** What was written, in the order of writing (newest first). */
export interface Written {
  readonly rows: number
  readonly simulatedRows: number
  readonly firstId: string | null
  readonly last: ArchivePosition | null
}

export const nothingWritten: Written = { rows: 0, simulatedRows: 0, firstId: null, last: null }

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
const exportLine = (format: ExportFormat, row: ArchiveRow): string => {
  const json = archiveRowJson(row)
  if (format === "ndjson") return `${JSON.stringify(json)}\n`
  return csvLine(csvFields.map((field) => field === "simulated" ? row.simulated : json[field]))
}

/** Writes the rows that come after `from.last`; `write` gets each piece with what is written once it is. */
export const writeRows = Effect.fnUntraced(function*<R>(
  { filters, format, from, onRows, organizationId, pieceLength, write }: {
    readonly organizationId: OrganizationId
    readonly filters: ArchiveFilters
    readonly format: ExportFormat
    readonly from: Written
    /** Pieces of about this many characters. */
    readonly pieceLength: number
    readonly onRows: (rows: number) => void
    readonly write: (piece: string, written: Written) => Effect.Effect<void, CliError, R>
  }
) {
  let written = from
  let piece = format === "csv" && from.rows === 0 ? csvLine(csvFields) : ""
  yield* exportPages(organizationId, filters, from.last ?? undefined).pipe(Stream.runForEach(Effect.fnUntraced(
    function*(rows) {
      for (const row of rows) {
        written = {
          rows: written.rows + 1,
          simulatedRows: written.simulatedRows + (row.simulated ? 1 : 0),
          firstId: written.firstId ?? row.id,
          last: row
        }
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
