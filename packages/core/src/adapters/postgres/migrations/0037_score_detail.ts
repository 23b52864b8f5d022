/**
 * What the newest score of an organization is shown with, formed once, instead of from all answers of five scans each
 * time. It is a copy: what is not here is formed of the answers. `json` keeps the order of members, which `jsonb` does
 * not. It does not refer to table score: backups read tables that change before those that only grow.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table score_detail (
    organization_id uuid primary key references organization,
    scan_id uuid not null,
    measure_version integer not null,
    tracked_set_version integer not null,
    detail_version integer not null,
    scan_ids uuid[] not null,
    detail json not null,
    series json not null
  )`
})
