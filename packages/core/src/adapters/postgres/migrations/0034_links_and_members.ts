/**
 * A link, and a session that it began, say who may know the link beside its maker: those who may have acted as the
 * maker. An organization has a name of its own for each member.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `alter table login_link add column known_to uuid[] not null default '{}'`,
  `alter table session add column known_to uuid[] not null default '{}'`,
  // name: null = the person's own
  `alter table membership add column name text`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
