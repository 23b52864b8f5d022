/**
 * Weekly digests by e-mail: which organizations get them, which recipients have unsubscribed, and which digests were
 * queued.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `create table digest (
    organization_id uuid primary key references organization,
    enabled boolean not null,
    next_at timestamptz(3),
    check (enabled = (next_at is not null))
  )`,
  "create index digest_next on digest (next_at) where next_at is not null",

  // At most one digest per recipient and week, across all processes and even after a crash
  `create table digest_mail (
    organization_id uuid not null references organization,
    week date not null,
    address text not null,
    mail_id uuid not null,
    created_at timestamptz(3) not null,
    primary key (organization_id, week, address)
  )`,
  "create trigger digest_mail_append_only before update or delete on digest_mail for each row execute function append_only()",
  "create trigger digest_mail_no_truncate before truncate on digest_mail for each statement execute function append_only()",

  // When the recipient unsubscribed from digests
  "alter table mail_recipient add column digest_off_at timestamptz(3)",
  "alter table mail add column digest boolean not null default false"
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
