/** The topics that people decided; null in earlier versions of a tracked set, and in versions without decisions. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table tracked_set add column topics jsonb`
})
