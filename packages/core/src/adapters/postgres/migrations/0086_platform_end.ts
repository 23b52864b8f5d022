/** Stores the day on which the model behind a platform ends, as its last answer announced it: `2026-12-31`. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table platform_health add column ends_on text`
})
