/** Alert rule `fact_contradicted` with its event. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `alter table alert_rule drop constraint alert_rule_rule_check, add constraint alert_rule_rule_check check
    (rule in ('sov_drop', 'new_mention', 'competitor_overtake', 'new_competitor', 'platform_changed',
      'fact_contradicted'))`,
  `alter table event drop constraint event_event_check, add constraint event_event_check check (event in
    ('scan.completed', 'sov.dropped', 'mention.detected', 'competitor.overtake', 'archive.anchored',
      'competitor.suggested', 'platform.changed', 'scan.failed', 'fact.contradicted')) not valid`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
