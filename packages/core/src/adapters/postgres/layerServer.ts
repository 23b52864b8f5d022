/** The database on a Postgres server. */
import { PgClient } from "@effect/sql-pg"
import { Effect, type Layer, type Redacted, Result, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { StoreError } from "../../ports/StoreError.ts"
import { type ConnectionSettings, readConnectionUrl } from "./connectionUrl.ts"
import { hasTenantPolicy } from "./roles/readRoleFacts.ts"
import { makeScopedClient } from "./roles/scopedClient.ts"
import { sessionTimeouts } from "./sessionTimeouts.ts"
import { sqlState, toStoreError } from "./sqlErrors.ts"
import { explainTlsFault, makeTlsOptions } from "./tlsOptions.ts"

/**
 * The server cannot be used; `message` is one line for the operator and never contains the password. `url`: not a
 * postgres:// address, or a parameter is invalid · `tls`: it offers no TLS, or its certificate does not prove its
 * identity; no password was sent · `database`: the server has no such database · `version`: older than Postgres 15 ·
 * `encoding`: the database is not UTF-8 · `row-security`: it is required, but the role can see several organizations at
 * a time · `pooler`: a pooler in front of the server refuses the session's timeouts.
 */
export class UnsupportedServer extends Schema.TaggedError<UnsupportedServer>()("UnsupportedServer", {
  reason: Schema.Literals(["url", "tls", "database", "version", "encoding", "row-security", "pooler"]),
  message: Schema.String
}) {}

/** How to connect to a server. */
export interface ServerOptions {
  /** `postgres://user:password@host:port/database`, with the parameters of docs/configuration.md. */
  readonly url: Redacted.Redacted
  /** If set, connecting fails unless row-level security shows the role one organization at a time. */
  readonly rowSecurity?: "required"
  /** Connections in this process's pool; default 10. */
  readonly maxConnections?: number
}

const oldestVersion = 150_000
const noSuchDatabase = "3D000"

/** The time limit for connecting in seconds, unless the URL sets one. */
const defaultConnectTimeout = 10

/** Host and database, for messages. */
const formatAddress = ({ database, host, port }: ConnectionSettings): string =>
  `${host.includes(":") ? `[${host}]` : host}${port === 5432 ? "" : `:${port}`}/${database ?? ""}`

/**
 * Checks once that the server answers and is suitable, and whether row-level security shows this role one organization
 * at a time.
 */
const checkServer = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, address: string) {
  const [server] = yield* sql<{ readonly version: number; readonly encoding: string; readonly rowSecurity: boolean }>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      ${hasTenantPolicy(sql)} as "rowSecurity"
  `.pipe(Effect.mapError((error) => explainConnectError(error, address)))
  if (server !== undefined && server.version < oldestVersion) {
    const major = Math.floor(server.version / 10_000)
    return yield* new UnsupportedServer({
      reason: "version",
      message: `${address} is Postgres ${major}; sov needs 15 or newer`
    })
  }
  if (server !== undefined && server.encoding !== "UTF8") {
    return yield* new UnsupportedServer({
      reason: "encoding",
      message: `${address} keeps text as ${server.encoding}; sov needs a database with encoding UTF8`
    })
  }
  return server?.rowSecurity === true
})

const explainConnectError = (error: SqlError.SqlError, address: string): UnsupportedServer | StoreError => {
  if (sqlState(error) === noSuchDatabase) {
    return new UnsupportedServer({ reason: "database", message: `there is no database ${address}; create it first` })
  }
  if (/unsupported startup parameter/.test(String((error.reason.cause as { message?: unknown } | null)?.message))) {
    return new UnsupportedServer({
      reason: "pooler",
      message: `the pooler at ${address} refuses the timeouts of a session`
    })
  }
  const tlsFault = explainTlsFault(address, error.reason.cause)
  if (tlsFault !== null) return new UnsupportedServer({ reason: "tls", message: tlsFault })
  const { message, reason } = toStoreError(`connect to ${address}`, error)
  return new StoreError({ reason, message })
}

const readSettings = (url: Redacted.Redacted) =>
  Result.gen(function*() {
    const settings = yield* readConnectionUrl(url)
    return { settings, ssl: yield* makeTlsOptions(settings.tls) }
  })

/**
 * A pool of connections to a Postgres server, 15 or newer; time zone UTC. A server on another machine receives the
 * password only over TLS, unless the URL says `sslmode=disable`. Fails at once when the server cannot be reached within
 * 10 s (StoreError `unavailable`), refuses user or password (`denied`), or is not suitable (UnsupportedServer).
 */
export const layerServer = (
  { maxConnections, rowSecurity, url }: ServerOptions
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, UnsupportedServer | StoreError> =>
  PgClient.layerFrom(Effect.gen(function*() {
    const { settings, ssl } = yield* Result.match(readSettings(url), {
      onFailure: (message) => Effect.fail(new UnsupportedServer({ reason: "url", message })),
      onSuccess: Effect.succeed
    })
    const address = formatAddress(settings)
    const { applicationName, connectTimeout = defaultConnectTimeout, options, tls: _, ...server } = settings
    const config: PgClient.PgPoolConfig = {
      ...server,
      ssl,
      applicationName: applicationName ?? "sov",
      startupOptions: options,
      maxConnections: maxConnections ?? 10,
      connectTimeout: connectTimeout === 0 ? "Infinity" : `${connectTimeout} seconds`,
      keepAlive: "30 seconds",
      startupParameters: {
        TimeZone: "UTC",
        // The URL's `options` are included here, because a separate parameter would override them
        ...Object.fromEntries(Object.entries(sessionTimeouts).filter(([name]) => options?.includes(name) !== true))
      }
    }
    const explain = Effect.mapError((error: SqlError.SqlError) => explainConnectError(error, address))
    const client = yield* PgClient.make(config).pipe(explain)
    if (yield* checkServer(client, address)) return yield* makeScopedClient(config).pipe(explain)
    if (rowSecurity === "required") {
      return yield* new UnsupportedServer({
        reason: "row-security",
        message: `row-level security does not show ${
          settings.username ?? "this role"
        } one organization of ${address} at a time`
      })
    }
    return client
  }))
