/** Stores the view of each scan and of each answer. Earlier scans and answers have none. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `create table buyer_view (
    organization_id uuid not null references organization (id),
    name text not null,
    country text,
    language text,
    context text,
    created_at timestamptz not null,
    primary key (organization_id, name)
  )`,
  `create table view_wording (
    organization_id uuid not null,
    view text not null,
    keyword_id uuid not null,
    text text not null,
    primary key (organization_id, view, keyword_id),
    foreign key (organization_id, view) references buyer_view (organization_id, name) on delete cascade,
    foreign key (organization_id, keyword_id) references keyword (organization_id, id)
  )`,
  "alter table scan add column surface text check (surface in ('api', 'app')), add column view jsonb",
  `alter table answer add column asked jsonb, drop constraint answer_leaf_version_check,
    add constraint answer_leaf_version_check check (leaf_version in (1, 2, 3)) not valid`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
