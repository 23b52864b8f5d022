/** Links that show the report of a period without signing in; only the sha256 of each token is stored. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table share_link (
    organization_id uuid not null references organization,
    id uuid not null,
    hash bytea not null unique check (octet_length(hash) = 32),
    name text not null,
    period_from timestamptz(3),
    period_to timestamptz(3),
    with_answers boolean not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    revoked_at timestamptz(3),
    last_used_at timestamptz(3),
    primary key (organization_id, id)
  )`
})
