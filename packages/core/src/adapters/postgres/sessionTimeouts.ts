import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Limits for a session on a server, so that a stuck session delays others by ten seconds at most. The `options` of the
 * URL override them.
 */
export const sessionTimeouts = {
  idle_in_transaction_session_timeout: "10s",
  lock_timeout: "10s",
  statement_timeout: "5min",
  tcp_keepalives_idle: "30",
  tcp_keepalives_interval: "10",
  tcp_keepalives_count: "3"
}

/** Lifts the limits for the rest of a transaction that takes long and holds no lock that others wait for. */
export const withoutTimeouts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`
    select set_config(name, '0', true)
    from unnest(array['idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout']) name
  `)
