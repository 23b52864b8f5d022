import type { SqlClient } from "effect/sql"

/** Inserts a row, or replaces all other columns of the row with the same key. */
export const upsert = (
  sql: SqlClient.SqlClient,
  table: string,
  key: ReadonlyArray<string>,
  row: Record<string, unknown>
) => {
  const name = (column: string) => sql`${sql(column)}`
  const replaced = Object.keys(row).filter((column) => !key.includes(column))
  return sql`
    insert into ${sql(table)} ${sql.insert(row)}
    on conflict (${sql.csv(key.map(name))})
    do update set ${sql.csv(replaced.map((column) => sql`${name(column)} = excluded.${name(column)}`))}
  `
}
