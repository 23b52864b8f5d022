/** `sov_v1.scans`, `sov_v1.scores` and `sov_v1.answers` show the surface and view of their rows. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quoteIdentifier } from "../backup/backupTables.ts"
import { views as first } from "./0040_views.ts"
import { views as narrowed } from "./0046_askable.ts"

/** Adds columns at the end, because a view can only be extended there. */
const addColumns = (query: string, table: string, columns: string): string =>
  query.replace(`\n    from ${table} join`, `, ${columns}\n    from ${table} join`)

const ofScan = "scan.surface, scan.view ->> 'name' as view"
const views: { readonly [view: string]: string } = {
  scans: addColumns(narrowed["scans"]!, "scan", ofScan),
  scores: addColumns(narrowed["scores"]!, "scan", ofScan),
  answers: addColumns(
    first["answers"]!,
    "answer",
    "answer.asked ->> 'surface' as surface, answer.asked ->> 'view' as view"
  )
}

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly schema: string }>`
    select case current_schema() when 'public' then 'sov' else current_schema()::text end || '_v1' as schema
  `
  const name = quoteIdentifier(row!.schema)
  yield* Effect.forEach(
    Object.entries(views),
    ([view, query]) => sql.unsafe(`create or replace view ${name}.${view} as ${query}`),
    { discard: true }
  )
})
