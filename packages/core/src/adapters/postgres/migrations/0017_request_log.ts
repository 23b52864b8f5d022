/**
 * When each API key last asked the tool server, for its rate limit. Unlogged: written with every request, worth nothing
 * after a minute, so it waits for no disk, and no backup holds it.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create unlogged table request_log (
      organization_id uuid not null,
      api_key_id uuid not null,
      times timestamptz[] not null,
      primary key (organization_id, api_key_id),
      foreign key (organization_id, api_key_id) references api_key
    )
  `
})
