/** A judge's decisions on facts of the business card and answers. They are paid for, so the table is append-only. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `create table card_decision (
    organization_id uuid not null,
    answer_id uuid not null,
    fact_hash text not null check (fact_hash ~ '^[0-9a-f]{64}$'),
    fact text not null,
    says text not null,
    verdict text not null check (verdict in ('agrees', 'contradicts', 'not_stated', 'unusable')),
    quote text,
    start integer check (start >= 0),
    judged_by text not null,
    judged_at timestamptz(3) not null,
    primary key (organization_id, answer_id, fact_hash),
    foreign key (organization_id, answer_id) references answer
  )`,
  `create trigger card_decision_append_only before update or delete on card_decision
    for each row execute function append_only()`,
  `create trigger card_decision_no_truncate before truncate on card_decision
    for each statement execute function append_only()`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
