/**
 * For servers with many organizations: the operator's settings for each organization, the operator's keys, and a log of
 * the actions made with these keys.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  // Finds the creation of an organization by its Idempotency-Key for as long as the organization exists
  `alter table organization
    add column suspended_at timestamptz(3),
    add column suspended_for text,
    add column request_rate integer check (request_rate > 0),
    add column monthly_budget_usd double precision check (monthly_budget_usd >= 0),
    add column creation_key text,
    add column creation_fingerprint bytea,
    add check (suspended_for is null or suspended_at is not null),
    add check ((creation_key is null) = (creation_fingerprint is null))`,
  "create unique index organization_creation on organization (creation_key) where creation_key is not null",

  // These tables belong to no organization: the log of the operator's actions remains when an organization is deleted,
  // and names it only by id
  `create table operator_key (
    id uuid primary key,
    name text not null,
    prefix text not null,
    last_four text not null,
    hash bytea not null unique check (octet_length(hash) = 32),
    created_at timestamptz(3) not null,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    last_used_at timestamptz(3)
  )`,
  `create table operator_entry (
    id uuid primary key,
    at timestamptz(3) not null,
    actor_kind text not null,
    actor text not null,
    operator_key_id uuid references operator_key,
    action text not null,
    subject_id text not null,
    detail jsonb not null
  )`,
  "create index operator_entry_newest on operator_entry (at desc, id desc)",
  `create trigger operator_entry_append_only before update or delete on operator_entry
    for each row execute function append_only()`,
  `create trigger operator_entry_no_truncate before truncate on operator_entry
    for each statement execute function append_only()`,

  // Unlogged, like request_log, because its rows are worthless after a minute
  `create unlogged table organization_request_log (
    organization_id uuid primary key references organization,
    times timestamptz[] not null
  )`,

  `alter table audit_entry drop constraint audit_entry_actor_kind_check, add constraint audit_entry_actor_kind_check
    check (actor_kind in ('person', 'key', 'command line', 'system', 'operator')) not valid`,
  `alter table schedule_run drop constraint schedule_run_reason_check, add constraint schedule_run_reason_check
    check (reason in ('still_running', 'too_late', 'not_ready', 'plan', 'suspended', 'budget')) not valid`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
