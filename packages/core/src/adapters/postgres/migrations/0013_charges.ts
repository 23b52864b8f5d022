/**
 * The cost of replies without an archived answer, the number of answers of unknown cost, and for the health of each
 * platform: its organization, when a worker last updated it, and the calls that count towards the limit per minute.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `create table charge (
    organization_id uuid not null,
    id uuid not null,
    scan_id uuid not null,
    platform text not null,
    kind text not null check (kind in ('unanswered', 'judgement')),
    input_tokens integer,
    output_tokens integer,
    cost_usd double precision,
    requests integer not null,
    searches integer,
    created_at timestamptz(3) not null,
    primary key (organization_id, id),
    foreign key (organization_id, scan_id) references scan
  )`,
  `create trigger charge_append_only before update or delete on charge
    for each row execute function append_only()`,
  `create trigger charge_no_truncate before truncate on charge for each statement execute function append_only()`,
  "create index charge_cost on charge (platform, created_at) include (cost_usd)",
  "create index charge_scan on charge (organization_id, scan_id)",
  `create index answer_unpriced on answer (platform, created_at)
    where cost_usd is null and not simulated and adapter <> 'recorded'`,
  `alter table platform_health add column provider text not null default '',
    add column watch jsonb not null default '[]',
    add column sent jsonb not null default '{"bySecond":[],"unsent":0}'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
