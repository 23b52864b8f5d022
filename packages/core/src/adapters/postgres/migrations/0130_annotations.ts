/** Annotations: an organization's notes about events of a day. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table annotation (
    organization_id uuid not null references organization,
    id uuid not null,
    day date not null,
    text text not null,
    created_at timestamptz(3) not null,
    primary key (organization_id, id)
  )`
})
