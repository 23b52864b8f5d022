import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Limits of a session on a server, so that one that is stuck holds up others for ten seconds at most. The URL's
 * `options` outrank them.
 */
export const sessionTimeouts = {
  idle_in_transaction_session_timeout: "10s",
  lock_timeout: "10s",
  statement_timeout: "5min",
  tcp_keepalives_idle: "30",
  tcp_keepalives_interval: "10",
  tcp_keepalives_count: "3"
}

/** Lifts them for the rest of a transaction that takes long, and holds no lock that others wait for. */
export const withoutTimeouts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`
    select set_config(name, '0', true)
    from unnest(array['idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout']) name
  `)
