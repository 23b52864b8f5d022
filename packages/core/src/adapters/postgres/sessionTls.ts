/** How the connection to a server is protected, for its operator. */
import { Effect, type Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { isThisMachine, readConnectionUrl, type TlsMode } from "./connectionUrl.ts"
import { withStoreErrors } from "./sqlErrors.ts"

/** What the URL asks for, and what the server says of its session. */
export interface SessionTls {
  /** As it is used: the one that holds without `sslmode`, too. */
  readonly mode: TlsMode
  /** Whether nothing of what is sent leaves this machine. */
  readonly isThisMachine: boolean
  /** Version of TLS, such as `TLSv1.3`; null = the session that the server has is not encrypted. */
  readonly version: string | null
}

/**
 * Asks the server of `url`, to which the client is connected. A pooler between has a session of its own, which is the
 * one it says.
 */
export const readSessionTls = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const sql = yield* SqlClient.SqlClient
  const { host, tls } = Result.getOrThrow(readConnectionUrl(url))
  const [row] = yield* sql<{ readonly version: string | null }>`
    select case when ssl then version end as version from pg_stat_ssl where pid = pg_backend_pid()
  `.pipe(withStoreErrors("read TLS of the session"))
  const session: SessionTls = { mode: tls.mode, isThisMachine: isThisMachine(host), version: row?.version ?? null }
  return session
})
