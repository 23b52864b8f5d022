/** API keys have scopes and their own expiry. Existing keys have all rights. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `alter table api_key
    add column scopes text[] not null default array['read', 'scan']
      check (scopes <@ array['read', 'scan'] and cardinality(scopes) > 0),
    add column rolled boolean not null default false`,
  // Until now, a key had an end only if it was rolled
  `update api_key set rolled = true where expires_at is not null`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
