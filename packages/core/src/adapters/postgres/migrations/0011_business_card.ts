/**
 * The business card: every edit of every field, and attestations of the card. Both are append-only; the card consists
 * of the newest edit of each field. `value` null means that the field was cleared.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `create table card_change (
    organization_id uuid not null references organization,
    sequence integer not null check (sequence > 0),
    field text not null,
    value jsonb check (jsonb_typeof(value) = 'array'),
    source text not null,
    updated_at timestamptz(3) not null,
    changed_at timestamptz(3) not null,
    primary key (organization_id, sequence)
  )`,
  `create index card_change_field on card_change (organization_id, field, sequence desc)`,
  `create table card_attestation (
    organization_id uuid not null references organization,
    sequence integer not null check (sequence > 0),
    attested_by text not null,
    attested_at timestamptz(3) not null,
    card_hash text not null check (card_hash ~ '^[0-9a-f]{64}$'),
    primary key (organization_id, sequence)
  )`,
  ...["card_change", "card_attestation"].flatMap((table) => [
    `create trigger ${table}_append_only before update or delete on ${table}
      for each row execute function append_only()`,
    `create trigger ${table}_no_truncate before truncate on ${table}
      for each statement execute function append_only()`
  ])
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
