/** Names that an organization does not want suggested as competitors. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table ignored_name (
      organization_id uuid not null references organization,
      form text not null,
      name text not null,
      ignored_at timestamptz(3) not null,
      primary key (organization_id, form)
    )
  `
})
