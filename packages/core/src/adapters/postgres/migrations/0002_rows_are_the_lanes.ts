/** Makes the open cells of running scans the work to do; no separate queue can disagree with them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`drop table if exists sov_queue`
  yield* sql`drop table if exists sov_queue_migrations`
})
