/** The open cells of running scans are the work to do; there is no separate queue that could disagree with them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`drop table if exists sov_queue`
  yield* sql`drop table if exists sov_queue_migrations`
})
