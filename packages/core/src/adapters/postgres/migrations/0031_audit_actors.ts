/**
 * An audit entry states the kind of its actor, and the API key if there is one. No release before this one wrote
 * entries.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `alter table audit_entry
    add column actor_kind text not null check (actor_kind in ('person', 'key', 'command line', 'system')),
    add column api_key_id uuid,
    add foreign key (organization_id, api_key_id) references api_key,
    add check ((actor_kind = 'person') = (person_id is not null)),
    add check ((actor_kind = 'key') = (api_key_id is not null))`,
  `create index audit_entry_person on audit_entry (person_id) where person_id is not null`,
  `create index audit_entry_key on audit_entry (organization_id, api_key_id) where api_key_id is not null`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
