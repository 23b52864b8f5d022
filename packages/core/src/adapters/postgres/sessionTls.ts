/** Reports to the operator how the connection to a server is protected. */
import { Effect, type Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { isThisMachine, readConnectionUrl, type TlsMode } from "./connectionUrl.ts"
import { withStoreErrors } from "./sqlErrors.ts"

/** What the URL asks for, and what the server reports about its session. */
export interface SessionTls {
  /** The mode in use: `sslmode` of the URL, or the default. */
  readonly mode: TlsMode
  /** Whether the connection stays on this machine. */
  readonly isThisMachine: boolean
  /** The TLS version, such as `TLSv1.3`; null if the server's session is not encrypted. */
  readonly version: string | null
}

/**
 * Asks the server of `url`, to which the client is connected. Behind a pooler, this describes the session of the
 * pooler.
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
