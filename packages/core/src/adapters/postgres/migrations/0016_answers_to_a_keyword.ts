/**
 * An index for the answers to a keyword on all platforms, in order, so that the time to read a page does not grow with
 * the archive.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index answer_keyword_newest on answer (organization_id, keyword_id, created_at desc, id desc)`
})
