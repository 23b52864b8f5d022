/**
 * The uncertainty of a score, and the version of the Unicode data behind it. Scores are append-only: older ones keep
 * nulls and stay readable.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("alter table score add column icu_version text, add column uncertainty jsonb")
})
