/** Stores when experiments end, and adds event `experiment.ended`. A row is removed when its event is created. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `create table experiment_end (
    organization_id uuid not null references organization,
    experiment_id uuid not null,
    due_at timestamptz(3) not null,
    primary key (organization_id, experiment_id)
  )`,
  "create index experiment_end_due on experiment_end (due_at)",
  `alter table event drop constraint event_event_check, add constraint event_event_check check (event in
    ('scan.completed', 'sov.dropped', 'mention.detected', 'competitor.overtake', 'archive.anchored',
      'competitor.suggested', 'platform.changed', 'scan.failed', 'fact.contradicted', 'experiment.ended')) not valid`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
