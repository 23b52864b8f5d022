/**
 * The detail shown with an organization's newest score, computed once instead of each time from all answers of five
 * scans. It is a copy: missing rows are computed from the answers. `json` keeps the order of members, `jsonb` does not.
 * There is no foreign key to table score, because backups read tables that change before tables that only grow.
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
