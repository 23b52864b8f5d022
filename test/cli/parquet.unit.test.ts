/** An export as Parquet is read by others, and is the same however often it was stopped. */
import type { ArchiveRow } from "@sov/http/fetch-client"
import fc from "fast-check"
import { parquetReadObjects } from "hyparquet"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { makeParquetEncoder } from "../../packages/cli/src/commands/archive/parquetEncoder.ts"

const nullable = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: null })
// What the archive holds: text that JSON carries
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "=1+1", "a\u0000b", "ü😀\r\n\"|,", "NULL"))
  .map((
    value
  ) => value.toWellFormed())
const int = fc.integer({ min: 0, max: 2 ** 31 - 1 })

const row: fc.Arbitrary<ArchiveRow> = fc.record({
  id: fc.uuid(),
  scan_id: fc.uuid(),
  platform: fc.constantFrom("assistant_a", "assistant_e"),
  keyword_id: fc.uuid(),
  prompt_used: text,
  raw_response: text,
  brand_mentioned: nullable(fc.boolean()),
  mention_count: nullable(int),
  mention_position: nullable(int),
  sentiment: nullable(fc.constantFrom("positive", "neutral", "negative")),
  sov_score: nullable(fc.double({ noNaN: true, min: 0, max: 100 })),
  created_at: fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }).map((at) =>
    at.toISOString()
  )
}).chain((fields) =>
  fc.constantFrom({}, { simulated: true }).chain((label) =>
    fc.oneof(
      fc.constant({ ...fields, ...label }),
      fc.record({
        leaf_version: fc.constant(2),
        model: text,
        search: nullable(fc.constantFrom("off", "required")),
        payload_sha256: fc.constant("00".repeat(32)),
        source_version: nullable(int),
        sources_status: fc.constantFrom("sealed", "unknown", "unreadable"),
        sources_cut: int,
        sources: fc.array(
          fc.record({
            kind: fc.constant("cited"),
            url: text,
            title: nullable(text),
            start: nullable(int),
            end: nullable(int)
          }),
          { maxLength: 3 }
        ),
        queries: fc.array(text, { maxLength: 3 })
      }).map((provenance) => ({ ...fields, ...label, ...provenance }))
    )
  )
) as fc.Arbitrary<ArchiveRow>

/** Writes groups of rows; after `stops` of them by another encoder, which gets the state of the one before. */
const write = (groups: ReadonlyArray<ReadonlyArray<ArchiveRow>>, stops: boolean): Uint8Array => {
  let encoder = makeParquetEncoder(null)
  const pieces: Array<Uint8Array> = []
  const goOn = () => {
    if (stops) encoder = makeParquetEncoder(encoder.state())
  }
  for (const rows of groups) {
    rows.forEach(encoder.add)
    pieces.push(Buffer.from(encoder.take()))
    goOn()
  }
  pieces.push(Buffer.from(encoder.end()))
  goOn()
  // Stopped between the footer and the manifest: the footer is there
  if (stops) expect(encoder.end()).toBe("")
  return Buffer.concat(pieces)
}

/** This reader has no value for a list that is null. */
const readRows = async (bytes: Uint8Array) =>
  (await parquetReadObjects({ file: new Uint8Array(bytes).buffer, utf8: true })).map((read) => ({
    ...read,
    sources: read["sources"] ?? null,
    queries: read["queries"] ?? null
  }))

/** A row as the columns have it. */
const asColumns = (row: ArchiveRow) => ({
  id: row.id,
  scan_id: row.scan_id,
  platform: row.platform,
  keyword_id: row.keyword_id,
  prompt_used: row.prompt_used,
  raw_response: row.raw_response,
  brand_mentioned: row.brand_mentioned,
  mention_count: row.mention_count,
  mention_position: row.mention_position,
  sentiment: row.sentiment,
  sentiment_by: row.sentiment_by ?? null,
  sov_score: row.sov_score,
  created_at: new Date(row.created_at),
  simulated: row.simulated === true,
  surface: row.surface ?? null,
  view: row.view ?? null,
  leaf_version: row.leaf_version ?? null,
  model: row.model ?? null,
  search: row.search ?? null,
  payload_sha256: row.payload_sha256 ?? null,
  source_version: row.source_version ?? null,
  sources_status: row.sources_status ?? null,
  sources_cut: row.sources_cut ?? null,
  sources: row.sources ?? null,
  queries: row.queries ?? null
})

const groups = fc.array(fc.array(row, { maxLength: 5 }), { maxLength: 4 })

describe("an export as Parquet", () => {
  it("the file contains every row, whatever its content", () =>
    fc.assert(
      fc.asyncProperty(groups, async (given) => {
        expect(await readRows(write(given, false))).toEqual(given.flat().map(asColumns))
      }),
      { numRuns: 30 }
    ))

  it("the file has the same bytes, however often the export was stopped", () =>
    fc.assert(
      fc.property(groups, (given) => {
        expect(Buffer.compare(write(given, true), write(given, false))).toBe(0)
      }),
      { numRuns: 30 }
    ))

  it("a piece is full at 8 MiB of text", () => {
    const [sample] = fc.sample(row, { numRuns: 1, seed: 1 })
    const encoder = makeParquetEncoder(null)
    for (let n = 0; n < 8; n++) {
      expect(encoder.isFull()).toBe(false)
      encoder.add({ ...sample!, prompt_used: "", raw_response: "x".repeat(1_048_576) })
    }
    expect(encoder.isFull()).toBe(true)
    encoder.take()
    expect(encoder.isFull()).toBe(false)
  })
})

/** The part of `@duckdb/node-api` that is used here: its types come with it, where it is installed. */
interface DuckDb {
  readonly DuckDBInstance: {
    readonly create: (path: string) => Promise<{
      readonly connect: () => Promise<{
        readonly runAndReadAll: (
          sql: string
        ) => Promise<{ readonly getRowObjectsJson: () => ReadonlyArray<Readonly<Record<string, unknown>>> }>
        readonly closeSync: () => void
      }>
      readonly closeSync: () => void
    }>
  }
}
/** A path below test/devtools/duckdb. */
const devtool = (path: string): URL => new URL(`../devtools/duckdb/${path}`, import.meta.url)

// After `npm ci` in test/devtools/duckdb, as .ci/run does
describe.skipIf(!existsSync(devtool("node_modules")))("DuckDB", () => {
  it("DuckDB reads the types and numbers back", async () => {
    const rows = fc.sample(row, { numRuns: 300, seed: 7 }).map((each, n) => ({ ...each, id: `answer ${n}` }))
    const folder = mkdtempSync(join(tmpdir(), "sov-parquet-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, "archive.parquet")
    writeFileSync(file, write([rows.slice(0, 100), rows.slice(100)], true))
    const { DuckDBInstance } = await import(devtool("node_modules/@duckdb/node-api/lib/index.js").href) as DuckDb
    const database = await DuckDBInstance.create(":memory:")
    const connection = await database.connect()
    const query = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson()
    const types = await query(`select column_name, column_type from (describe select * from '${file}')`)
    expect(Object.fromEntries(types.map(({ column_name, column_type }) => [String(column_name), column_type])))
      .toMatchObject({
        id: "VARCHAR",
        brand_mentioned: "BOOLEAN",
        mention_count: "INTEGER",
        sov_score: "DOUBLE",
        created_at: "TIMESTAMP WITH TIME ZONE",
        sources: `STRUCT(kind VARCHAR, url VARCHAR, title VARCHAR, "start" INTEGER, "end" INTEGER)[]`,
        queries: "VARCHAR[]"
      })
    const scores = rows.flatMap(({ sov_score }) => sov_score === null ? [] : [sov_score])
    const [sums] = await query(`
      select count(*)::integer as n, avg(sov_score) as mean, sum(len(sources))::integer as sources from '${file}'`)
    expect(sums).toEqual({
      n: rows.length,
      mean: expect.closeTo(scores.reduce((sum, score) => sum + score, 0) / scores.length, 9),
      sources: rows.reduce((sum, { sources = [] }) => sum + sources.length, 0)
    })
    expect(await query(`select id, raw_response from '${file}'`)).toEqual(
      rows.map(({ id, raw_response }) => ({ id, raw_response }))
    )
    connection.closeSync()
    database.closeSync()
  })
})
