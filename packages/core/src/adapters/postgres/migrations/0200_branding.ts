/** How the reports and e-mails of an organization look. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table branding (
    organization_id uuid primary key references organization,
    title text,
    color text,
    band text,
    sender text,
    footer text,
    logo bytea
  )`
})
