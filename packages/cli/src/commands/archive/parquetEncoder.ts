/**
 * Encodes an export as Parquet: each piece is one row group, and the footer at the end lists where each row group
 * begins.
 */
import type { ArchiveRow } from "@sov/http/fetch-client"
import { ByteWriter, ParquetWriter } from "hyparquet-writer"
import { deserialize, serialize } from "node:v8"

type SchemaElement = ParquetWriter["schema"][number]
type Cell = string | number | boolean | Date | null | ReadonlyArray<unknown>

interface Column {
  /** Schema elements of the column: its own, then those nested in it. */
  readonly elements: readonly [SchemaElement, ...Array<SchemaElement>]
  readonly cell: (row: ArchiveRow) => Cell
}

const text = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const
const int = { type: "INT32" } as const
const time = {
  type: "INT64",
  converted_type: "TIMESTAMP_MILLIS",
  logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" }
} as const
type Type = Pick<SchemaElement, "type" | "converted_type" | "logical_type">

const required = (name: string, type: Type): SchemaElement => ({ name, ...type, repetition_type: "REQUIRED" })
const optional = (name: string, type: Type): SchemaElement => ({ name, ...type, repetition_type: "OPTIONAL" })
/** A list, in the three levels that Parquet requires. */
const list = (name: string, ...element: ReadonlyArray<SchemaElement>): Column["elements"] => [
  { name, converted_type: "LIST", logical_type: { type: "LIST" }, repetition_type: "OPTIONAL", num_children: 1 },
  { name: "list", repetition_type: "REPEATED", num_children: 1 },
  ...element
]

const always = (
  name: keyof ArchiveRow,
  type: Type,
  cell: Column["cell"] = (row) => row[name] as Cell
): Column => ({ elements: [required(name, type)], cell })
const maybe = (name: keyof ArchiveRow, type: Type): Column => ({
  elements: [optional(name, type)],
  cell: (row) => (row[name] ?? null) as Cell
})

/**
 * The columns, which have the names of a row's members. Columns about the origin of an answer are null if its leaf has
 * version 1.
 */
const columns: ReadonlyArray<Column> = [
  always("id", text),
  always("scan_id", text),
  always("platform", text),
  always("keyword_id", text),
  always("prompt_used", text),
  always("raw_response", text),
  maybe("brand_mentioned", { type: "BOOLEAN" }),
  maybe("mention_count", int),
  maybe("mention_position", int),
  maybe("sentiment", text),
  maybe("sentiment_by", text),
  maybe("sov_score", { type: "DOUBLE" }),
  always("created_at", time, ({ created_at }) => new Date(created_at)),
  always("simulated", { type: "BOOLEAN" }, ({ simulated }) => simulated === true),
  maybe("surface", text),
  maybe("view", text),
  maybe("leaf_version", int),
  maybe("model", text),
  maybe("search", text),
  maybe("payload_sha256", text),
  maybe("source_version", int),
  maybe("sources_status", text),
  maybe("sources_cut", int),
  {
    elements: list(
      "sources",
      { name: "element", repetition_type: "OPTIONAL", num_children: 5 },
      required("kind", text),
      required("url", text),
      optional("title", text),
      optional("start", int),
      optional("end", int)
    ),
    cell: ({ sources }) => sources ?? null
  },
  { elements: list("queries", optional("element", text)), cell: ({ queries }) => queries ?? null }
]

const schema: Array<SchemaElement> = [
  { name: "answers", num_children: columns.length },
  ...columns.flatMap(({ elements }) => elements)
]

/**
 * Maximum number of rows in a row group; it is also full at a number of characters of questions and answers. One row
 * group is kept in memory.
 */
const maxRows = 20_000
const maxCharacters = 8_388_608

/** The facts about earlier row groups that the footer needs. */
interface Written {
  readonly offset: number
  readonly rows: bigint
  readonly groups: ParquetWriter["row_groups"]
  readonly ended: boolean
}
const nothing: Written = { offset: 0, rows: 0n, groups: [], ended: false }

/** Creates the `RowEncoder` for Parquet (Snappy). `state` comes from an interrupted run. */
export const makeParquetEncoder = (state: string | null) => {
  let written: Written = state === null ? nothing : deserialize(Buffer.from(state, "base64")) as Written
  let rows: Array<ArchiveRow> = []
  let characters = 0

  /** Runs `write` with a writer that continues after the bytes already written, and returns the new bytes. */
  const goOn = (write: (parquet: ParquetWriter) => unknown, ended: boolean): Uint8Array => {
    const bytes = new ByteWriter()
    const parquet = new ParquetWriter({ writer: bytes, schema, createdBy: "sov" })
    if (written.offset > 0) {
      // Removes the magic number that every new writer starts with, because the file already contains it
      bytes.index = 0
      bytes.offset = written.offset
    }
    parquet.row_groups = [...written.groups]
    parquet.num_rows = written.rows
    write(parquet)
    written = { offset: bytes.offset, rows: parquet.num_rows, groups: parquet.row_groups, ended }
    return bytes.getBytes()
  }

  return {
    add: (row: ArchiveRow) => {
      rows.push(row)
      characters += row.prompt_used.length + row.raw_response.length
    },
    isFull: () => rows.length >= maxRows || characters >= maxCharacters,
    take: () => {
      if (rows.length === 0) return ""
      const group = rows
      rows = []
      characters = 0
      const columnData = columns.map(({ cell, elements }) => ({
        name: elements[0].name,
        data: group.map(cell),
        offsetIndex: false
      }))
      return goOn((parquet) => parquet.write({ columnData, rowGroupSize: group.length }), false)
    },
    // A run that was interrupted between footer and manifest has already written the footer
    end: () => written.ended ? "" : goOn((parquet) => parquet.finish(), true),
    state: () => serialize(written).toString("base64")
  }
}
