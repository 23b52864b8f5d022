/**
 * Encodes the rows of an export in pieces that depend only on the rows, so that a resumed export writes the same bytes.
 */
import type { ExportFormat } from "@sov/core/archive"
import type { ArchiveRow } from "@sov/http/fetch-client"
import { csvHeader, csvRow } from "./csvRow.ts"

/** Collects rows and returns them encoded. */
export interface RowEncoder {
  readonly add: (row: ArchiveRow) => void
  /** Whether the collected rows are enough for a piece. */
  readonly isFull: () => boolean
  /** Encodes the rows that were added since the last call; may be called without new rows. */
  readonly take: () => string | Uint8Array
  /** The bytes after the last row; empty if the format has no footer. */
  readonly end: () => string | Uint8Array
  /**
   * The state that is needed, in addition to the rows, to resume after the pieces that were taken; `makeRowEncoder`
   * accepts it as `state`.
   */
  readonly state: () => string | null
}

interface Begun {
  /** Number of rows that the interrupted run wrote. */
  readonly rows: number
  readonly state: string | null
}

const makeTextEncoder = (header: string, line: (row: ArchiveRow) => string, pieceLength: number): RowEncoder => {
  let piece = header
  return {
    add: (row) => {
      piece += line(row)
    },
    isFull: () => piece.length >= pieceLength,
    take: () => {
      const taken = piece
      piece = ""
      return taken
    },
    end: () => "",
    state: () => null
  }
}

/** Creates the encoder of a format; text formats produce pieces of about `pieceLength` characters. */
export const makeRowEncoder = async (format: ExportFormat, begun: Begun, pieceLength: number): Promise<RowEncoder> => {
  if (format === "ndjson") return makeTextEncoder("", (row) => `${JSON.stringify(row)}\n`, pieceLength)
  if (format === "csv") return makeTextEncoder(begun.rows === 0 ? csvHeader : "", csvRow, pieceLength)
  const { makeParquetEncoder } = await import("./parquetEncoder.ts")
  return makeParquetEncoder(begun.state)
}
