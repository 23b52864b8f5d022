/** Stores the targets of redirects, which some platforms cite instead of the pages themselves. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `create table resolved_url (
    organization_id uuid not null references organization,
    url_sha256 bytea not null check (octet_length(url_sha256) = 32),
    url text not null check (url_sha256 = sha256(convert_to(url, 'UTF8'))),
    target text,
    outcome text not null check (outcome in ('resolved', 'gone', 'refused', 'failed')),
    resolved_at timestamptz(3) not null,
    primary key (organization_id, url_sha256),
    check ((outcome = 'resolved') = (target is not null))
  )`,
  `create trigger resolved_url_append_only before update or delete on resolved_url
    for each row execute function append_only()`,
  `create trigger resolved_url_no_truncate before truncate on resolved_url
    for each statement execute function append_only()`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
