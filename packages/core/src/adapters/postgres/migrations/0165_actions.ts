/**
 * The decisions of organizations about actions, and the newest list of actions. The list is a copy: missing rows are
 * computed again. `json` keeps the order of members.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table action_mark (
    organization_id uuid not null references organization,
    id text not null,
    rule text not null,
    title text not null,
    state text not null check (state in ('done', 'dismissed', 'later')),
    until timestamptz(3),
    marked_at timestamptz(3) not null,
    primary key (organization_id, id)
  )`
  yield* sql`create table found_actions (
    organization_id uuid primary key references organization,
    report json not null
  )`
})
