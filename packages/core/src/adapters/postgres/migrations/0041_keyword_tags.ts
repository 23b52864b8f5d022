/** Tags of keywords, in their first spelling; `key` is the same for all spellings of a tag. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `create table keyword_tag (
    organization_id uuid not null,
    keyword_id uuid not null,
    key text not null check (key <> ''),
    tag text not null check (tag <> ''),
    primary key (organization_id, keyword_id, key),
    foreign key (organization_id, keyword_id) references keyword
  )`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
