/**
 * Stores which answers could not be measured, and why. A scan has a separate score for each number of measured answers:
 * if answers that failed at first are measured later, the scan gets another score.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  // There is no foreign key to table answer, because backups read tables that change before tables that only grow
  `create table measurement_failure (
    organization_id uuid not null references organization,
    answer_id uuid not null,
    tracked_set_version integer not null,
    measure_version integer not null,
    reason text not null check (reason in ('deadline', 'memory', 'failed')),
    failed_at timestamptz(3) not null,
    primary key (organization_id, answer_id, tracked_set_version, measure_version)
  )`,
  // Until now, failed_count included unmeasured answers
  `alter table score add column unmeasured_count integer not null default 0, drop constraint score_pkey,
    add primary key (organization_id, scan_id, tracked_set_version, measure_version, results_count, unmeasured_count)`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
