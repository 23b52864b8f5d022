/**
 * The rows of an export as the bytes of a format, in pieces that depend on the rows alone: a resumed export writes the
 * same.
 */
import type { ExportFormat } from "@sov/core/archive"
import type { ArchiveRow } from "@sov/http/fetch-client"
import { csvHeader, csvRow } from "./csvRow.ts"

/** Collects rows and hands out what is to be written. */
export interface RowEncoder {
  readonly add: (row: ArchiveRow) => void
  /** Whether the rows that were added make a piece. */
  readonly isFull: () => boolean
  /** The rows that were added since the last call, maybe an empty list. */
  readonly take: () => string | Uint8Array
  /** What stands behind the last row; empty where the format has nothing there. */
  readonly end: () => string | Uint8Array
  /** What going on after the pieces taken so far needs beside the rows: what `makeRowEncoder` takes as `state`. */
  readonly state: () => string | null
}

interface Begun {
  /** Rows that a stopped run has written. */
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

/** The encoder of a format; text comes in pieces of about `pieceLength` characters. */
export const makeRowEncoder = async (format: ExportFormat, begun: Begun, pieceLength: number): Promise<RowEncoder> => {
  if (format === "ndjson") return makeTextEncoder("", (row) => `${JSON.stringify(row)}\n`, pieceLength)
  if (format === "csv") return makeTextEncoder(begun.rows === 0 ? csvHeader : "", csvRow, pieceLength)
  const { makeParquetEncoder } = await import("./parquetEncoder.ts")
  return makeParquetEncoder(begun.state)
}
