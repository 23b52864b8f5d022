/**
 * An index for the answers of a scan in id order, page by page: when they are measured again, each page is read once.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index answer_scan on answer (organization_id, scan_id, id)`
})
