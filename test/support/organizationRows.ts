/** What the database holds of one organization. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Every row of an organization, in every table that has any. */
export const readOrganizationRows = Effect.fnUntraced(function*(organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select table_name::text as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'organization_id' order by 1
  `
  const rows = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql<{ readonly row: unknown }>`
        select to_jsonb(t) as row from ${sql(name)} t where organization_id = ${organizationId} order by t::text
      `,
      (found) => [name, found.map(({ row }) => row)] as const
    ))
  const [own] = yield* sql`select * from organization where id = ${organizationId}`
  return { own, tables: Object.fromEntries(rows) }
})

/** Every id in a value. */
export const uuidsIn = (value: unknown): ReadonlySet<string> =>
  new Set(
    JSON.stringify(value, (_, inner: unknown) => inner instanceof Set ? [...inner] : inner)
      ?.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)
  )
