/**
 * The times of each API key's last requests to the tool server, for its rate limit. The table is unlogged, because
 * every request writes to it and its rows are worthless after a minute: writes never wait for the disk, and backups
 * leave the table out.
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
