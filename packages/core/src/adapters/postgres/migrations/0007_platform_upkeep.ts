/**
 * Usage of answers other than tokens, an index for the newest answers of a platform across organizations, and the
 * health of each platform. Like `worker`, the health table belongs to no organization and contains no data of any
 * organization.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  "alter table answer add column requests integer not null default 1, add column searches integer",
  "create index answer_cost on answer (platform, simulated, created_at desc) include (cost_usd)",
  `create table platform_health (
    platform text not null,
    simulated boolean not null,
    breaker jsonb not null,
    outcomes text[] not null,
    last_failure jsonb,
    seen_at timestamptz(3) not null,
    primary key (platform, simulated)
  )`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
