/**
 * Adds columns so that replayed deliveries get a new schedule, owners are notified of failed deliveries, and e-mails
 * are sent fairly and can be dropped.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  // begun_at: when the delivery was replayed; null if never
  `alter table webhook_delivery add column begun_at timestamptz(3)`,
  // told_at: when the organization was last notified that a delivery to this endpoint has failed permanently
  `alter table webhook_endpoint add column told_at timestamptz(3)`,
  `alter table mail drop constraint mail_state_check`,
  `alter table mail add constraint mail_state_check check (state in ('queued', 'sent', 'failed', 'dropped'))`,
  `create index mail_turns on mail (organization_id, due_at) where state = 'queued'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
