/**
 * The workers on this database. Like `instance`, the table belongs to no organization and contains no data of any
 * organization.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table worker (
    id uuid primary key,
    host text not null,
    pid integer not null,
    version text not null,
    digest text not null,
    platforms text[] not null,
    doing text[] not null,
    started_at timestamptz(3) not null,
    seen_at timestamptz(3) not null
  )`
})
