/** Webhooks in the formats of chats. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `alter table webhook_endpoint add column format text not null default 'json'
    check (format in ('json', 'slack', 'discord', 'teams'))`,
  // The body for a chat; null means the body of the event
  `alter table webhook_delivery add column body bytea`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
