/**
 * A session stores who created the sign-in link that began it. Existing sessions from invitations end, because it is
 * unknown who created their links: these people must sign in again.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `alter table session add column made_by uuid references person`,
  `create index session_made_by on session (made_by) where made_by is not null`,
  `delete from session where method = 'invitation'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
