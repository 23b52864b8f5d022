/** Reads all rows of one organization from the database. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Statements by connection, because they contain only what its role may read. The schema does not change within a test
 * file.
 */
const statements = new WeakMap<SqlClient.SqlClient, string>()

/** Builds one statement for all tables of organizations, because tests run it thousands of times. */
const rowsStatement = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const known = statements.get(sql)
  if (known !== undefined) return known
  const tables = yield* sql<{ readonly name: string }>`
    select table_name::text as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'organization_id' order by 1
  `
  const made = tables.map(({ name }) => `
    select '${name}' as name, coalesce((
      select jsonb_agg(to_jsonb(t) order by t::text) from "${name}" t where organization_id = $1
    ), '[]') as rows`).join(" union all ")
  statements.set(sql, made)
  return made
})

/** All rows of an organization in all tables. */
export const readOrganizationRows = Effect.fnUntraced(function*(organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql.unsafe<{ readonly name: string; readonly rows: ReadonlyArray<unknown> }>(
    yield* rowsStatement(sql),
    [organizationId]
  )
  const [own] = yield* sql`select * from organization where id = ${organizationId}`
  return { own, tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows] as const)) }
})

/** All UUIDs that occur in a value. */
export const uuidsIn = (value: unknown): ReadonlySet<string> =>
  new Set(
    JSON.stringify(value, (_, inner: unknown) => inner instanceof Set ? [...inner] : inner)
      ?.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)
  )
