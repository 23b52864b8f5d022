/**
 * A link, and a session that it began, stores who may know the link besides its creator: everybody who may have acted
 * as the creator. Members can have a different name in each organization.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `alter table login_link add column known_to uuid[] not null default '{}'`,
  `alter table session add column known_to uuid[] not null default '{}'`,
  // name: null means the person's own name
  `alter table membership add column name text`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
