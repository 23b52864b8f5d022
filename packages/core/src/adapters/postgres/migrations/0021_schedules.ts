/**
 * Schedules of scans and their runs: each scheduled time runs once, even across restarts and with several workers.
 * Workers store whether they are permanent, because a worker that ends with its scan must not start other scans.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `create table schedule (
    organization_id uuid primary key references organization,
    cron text not null,
    time_zone text not null,
    platforms text[],
    samples integer not null check (samples between 1 and 5),
    paused boolean not null,
    next_at timestamptz(3),
    check (not paused or next_at is null)
  )`,
  "create index schedule_next on schedule (next_at) where next_at is not null",

  // Runs belong to the organization rather than to the schedule, so that a schedule that is removed and set again does
  // not repeat a run
  `create table schedule_run (
    organization_id uuid not null references organization,
    scheduled_at timestamptz(3) not null,
    ran_at timestamptz(3) not null,
    scan_id uuid,
    reason text check (reason in ('still_running', 'too_late', 'not_ready', 'plan')),
    message text,
    primary key (organization_id, scheduled_at),
    foreign key (organization_id, scan_id) references scan,
    check ((scan_id is null) = (reason is not null) and (reason is null) = (message is null))
  )`,
  "create trigger schedule_run_append_only before update or delete on schedule_run for each row execute function append_only()",
  "create trigger schedule_run_no_truncate before truncate on schedule_run for each statement execute function append_only()",

  "alter table worker add column stays boolean not null default false"
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
