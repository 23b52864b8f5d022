/** The home on a Postgres server. */
import { PgClient } from "@effect/sql-pg"
import { Effect, type Layer, Redacted, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { StoreError } from "../../ports/StoreError.ts"
import { sqlState, toStoreError } from "./sqlErrors.ts"

/**
 * The server cannot be used as it is; `message` is one line for the operator and never holds the password.
 * `url` not a postgres:// address · `database` the server has no such database · `version` older than Postgres 15 ·
 * `encoding` the database is not UTF-8.
 */
export class UnsupportedServer extends Schema.TaggedError<UnsupportedServer>()("UnsupportedServer", {
  reason: Schema.Literals(["url", "database", "version", "encoding"]),
  message: Schema.String
}) {}

/** How to reach a server. */
export interface ServerOptions {
  /** `postgres://user:password@host:port/database`, with libpq's `sslmode` and the like as parameters. */
  readonly url: Redacted.Redacted
  /** Connections of this process's pool; default 10. */
  readonly maxConnections?: number
}

const oldestVersion = 150_000
const noSuchDatabase = "3D000"

/** Host and database of the URL, for messages; null when it is no address of a Postgres server. */
const formatAddress = (url: Redacted.Redacted): string | null => {
  const parsed = URL.parse(Redacted.value(url))
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) return null
  return `${parsed.host}${parsed.pathname}`
}

/** Looks once whether the server answers and fits. */
const checkServer = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, address: string) {
  const [server] = yield* sql<{ readonly version: number; readonly encoding: string }>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding
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
})

const explainConnectError = (error: SqlError.SqlError, address: string): UnsupportedServer | StoreError => {
  if (sqlState(error) === noSuchDatabase) {
    return new UnsupportedServer({ reason: "database", message: `there is no database ${address}; create it first` })
  }
  const { message, reason } = toStoreError(`connect to ${address}`, error)
  return new StoreError({ reason, message })
}

/**
 * A pool of connections to a Postgres server, 15 or newer; time zone UTC. Fails at once when the server cannot be
 * reached within 10 s (StoreError `unavailable`), refuses user or password (`denied`), or does not fit (UnsupportedServer).
 */
export const layerServer = (
  { maxConnections, url }: ServerOptions
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, UnsupportedServer | StoreError> => {
  const address = formatAddress(url)
  return PgClient.layerFrom(Effect.gen(function*() {
    if (address === null) {
      return yield* new UnsupportedServer({
        reason: "url",
        message: "the database URL does not begin with postgres://"
      })
    }
    const client = yield* PgClient.make({
      url,
      applicationName: "sov",
      maxConnections: maxConnections ?? 10,
      connectTimeout: "10 seconds",
      startupParameters: { TimeZone: "UTC" }
    }).pipe(Effect.mapError((error) => explainConnectError(error, address)))
    yield* checkServer(client, address)
    return client
  }))
}
