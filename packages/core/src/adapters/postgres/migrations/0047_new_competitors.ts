/** Alert rule `new_competitor` with its event, and the names that it has reported. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `alter table alert_rule drop constraint alert_rule_rule_check, add constraint alert_rule_rule_check check
    (rule in ('sov_drop', 'new_mention', 'competitor_overtake', 'new_competitor'))`,
  `alter table event drop constraint event_event_check, add constraint event_event_check check (event in
    ('scan.completed', 'sov.dropped', 'mention.detected', 'competitor.overtake', 'archive.anchored', 'competitor.suggested')) not valid`,

  // Each name is reported once, whichever process finds it; restoring an ignored name removes its row
  `create table told_name (
    organization_id uuid not null,
    form text not null,
    alert_id uuid not null,
    told_at timestamptz(3) not null,
    primary key (organization_id, form),
    foreign key (organization_id, alert_id) references alert
  )`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
