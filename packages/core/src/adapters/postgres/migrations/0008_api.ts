/**
 * Tables for the API: the requests under a client's Idempotency-Key, and the running servers. Like `worker`, the latter
 * belongs to no organization and contains no data of any organization.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `create table idempotency_key (
    organization_id uuid not null,
    key text not null,
    fingerprint bytea not null check (octet_length(fingerprint) = 32),
    scan_id uuid not null,
    estimated_seconds integer not null,
    created_at timestamptz(3) not null,
    primary key (organization_id, key),
    -- the record comes first in the transaction that starts the scan
    foreign key (organization_id, scan_id) references scan deferrable initially deferred
  )`,
  "create index idempotency_key_age on idempotency_key (organization_id, created_at)",
  `create table server (
    id uuid primary key,
    seen_at timestamptz(3) not null
  )`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
