/** Measurements store who decided their sentiment: the rules, or the name of a judge. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("alter table measurement add column sentiment_by text not null default 'rules'")
})
