/**
 * Adds the uncertainty of a score, and the version of the Unicode data that it was computed with. Scores are
 * append-only: older scores keep nulls and stay readable.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("alter table score add column icu_version text, add column uncertainty jsonb")
})
