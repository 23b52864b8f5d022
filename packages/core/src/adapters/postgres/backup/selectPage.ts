/** Reads the rows of a table as lines of JSON, page by page in the order of the primary key. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type BackupTable, quoteIdentifier } from "./backupTables.ts"

/** Target size of a page in bytes, so that memory use stays flat and other sessions soon get their turn. */
const pageLength = 1_048_576
const firstRows = 16
const maxRows = 1_000

/** Where a page begins, and its maximum number of rows. */
export interface PageStart {
  /** The primary key of the row before the page; null starts at the first row. */
  readonly after: ReadonlyArray<string> | null
  readonly limit: number
}

export const firstPage: PageStart = { after: null, limit: firstRows }

interface Page {
  readonly rows: number
  /** One JSON line per row. */
  readonly json: string
  /** The start of the next page; null after the last page. */
  readonly next: PageStart | null
}

/** An SQL condition with one `?`, and the text that replaces it. */
export type Condition = readonly [sql: string, value: string]

/**
 * A page of the rows that meet the conditions, in one statement; null if there are no such rows. The columns include
 * the key.
 */
export const selectPage = (
  sql: SqlClient.SqlClient,
  table: BackupTable,
  conditions: ReadonlyArray<Condition>,
  { after, limit }: PageStart
): Effect.Effect<Page | null, SqlError.SqlError> => {
  const key = table.key.map(quoteIdentifier)
  const given = conditions.map(([condition], i) => condition.replace("?", `$${i + 1}`))
  const types = table.keyTypes.map((type, i) => `$${conditions.length + i + 1}::text::${type}`)
  const where = after === null ? given : [...given, `(${key.join()}) > (${types.join()})`]
  // Returns all rows as one, because decoding many rows would take longer than the query
  return sql.unsafe<Omit<Page, "next"> & { readonly last: ReadonlyArray<string> }>(
    `select count(*)::int as rows, string_agg(row_to_json(page)::text, e'\\n') as json,
       array[${key.map((column) => `(array_agg(${column}::text))[count(*)]`).join()}] as last
     from (
       select ${table.columns.map(quoteIdentifier).join()} from ${quoteIdentifier(table.name)}
       ${where.length === 0 ? "" : `where ${where.join(" and ")}`}
       order by ${key.join()} limit ${limit}
     ) page`,
    [...conditions.map(([, value]) => value), ...after ?? []]
  ).pipe(Effect.map(([page]) => {
    if (page === undefined || page.rows === 0) return null
    const { json, last, rows } = page
    const following = Math.max(1, Math.min(maxRows, 4 * limit, Math.floor(pageLength * rows / json.length)))
    return { rows, json, next: rows < limit ? null : { after: last, limit: following } }
  }))
}
