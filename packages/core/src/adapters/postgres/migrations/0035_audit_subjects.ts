/** An index for the audit entries about an API key, an endpoint or a rule. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index audit_entry_subject on audit_entry (organization_id, subject_kind, subject_id, at, id)`
})
