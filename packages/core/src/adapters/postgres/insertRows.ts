import type { SqlClient, Statement } from "effect/sql"

/**
 * Inserts rows with `insert into table … select … from (values …) given` and a join: only rows with a match in the join
 * are added. `types` are the column types, which such parameters need.
 */
export const insertRows = <A extends object>(
  sql: SqlClient.SqlClient,
  table: string,
  types: { readonly [K in keyof A]: string },
  rows: ReadonlyArray<A>,
  joined: string
) => {
  const columns = Object.keys(types) as Array<keyof A & string>
  const names = sql.csv(columns.map((name) => sql`${sql(name)}`))
  const values = rows.map((row) =>
    sql`(${sql.csv(columns.map((name) => sql`${row[name] as Statement.Fragment}::${sql.literal(types[name])}`))})`
  )
  return sql`
    insert into ${sql(table)} (${names})
    select given.* from (values ${sql.csv(values)}) given (${names}) ${sql.literal(joined)}
  `
}
