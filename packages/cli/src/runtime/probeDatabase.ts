/** Connects to the database without creating or migrating it, for commands that report on it. */
import type { StoragePorts } from "@sov/core/common"
import {
  type Home,
  layerConnection,
  type Migration,
  type OwnRole,
  readDatabaseFacts,
  readMigrationStatus,
  readOwnRole,
  readSessionTls,
  type SessionTls,
  stores
} from "@sov/core/postgres"
import { Clock, type Context, Effect, Layer, type Scope } from "effect"
import { CliError } from "../CliError.ts"
import { describeError } from "../describeError.ts"
import type { GlobalOptions } from "../settings/GlobalOptions.ts"
import { databaseExists, logLocation, resolveHome } from "./home.ts"

/** A database that answers. */
export interface OpenDatabase {
  readonly state: "open"
  /** Postgres version ("18.1"), encoding, and bytes on disk. */
  readonly facts: { readonly version: string; readonly encoding: string; readonly sizeBytes: number }
  /** The database role of this process. */
  readonly role: OwnRole
  /** How the connection is protected; null on the embedded home, which has no network connection. */
  readonly tls: SessionTls | null
  /** How far the server's clock is ahead of ours, in milliseconds; 0 if the round trip explains the difference. */
  readonly clockSkewMs: number
  /** The schema, or the error that says why this version of sov cannot use the schema. */
  readonly schema: { readonly version: number; readonly pending: ReadonlyArray<Migration> } | CliError
  /** The stores; null if the schema is not that of this version. */
  readonly stores: Context.Context<StoragePorts> | null
}

/** The result: no database, one that does not answer, or an open one. */
export type DatabaseProbe =
  | { readonly state: "absent" }
  | { readonly state: "unreachable"; readonly error: CliError }
  | OpenDatabase

const clockSkew = (before: number, clock: Date, after: number): number => {
  const skew = clock.getTime() - (before + after) / 2
  return Math.abs(skew) <= (after - before) / 2 ? 0 : Math.round(skew)
}

const probeOpenDatabase = Effect.fnUntraced(function*(where: Home) {
  const before = yield* Clock.currentTimeMillis
  const { clock, ...facts } = yield* readDatabaseFacts
  const clockSkewMs = clockSkew(before, clock, yield* Clock.currentTimeMillis)
  const role = yield* readOwnRole
  const tls = "url" in where ? yield* readSessionTls(where.url) : null
  const schema = yield* readMigrationStatus.pipe(
    Effect.catchTag("SchemaNewer", (error) => Effect.succeed(describeError(error)))
  )
  const fits = !(schema instanceof CliError) && schema.pending.length === 0
  const open: OpenDatabase = {
    state: "open",
    facts,
    role,
    tls,
    clockSkewMs,
    schema,
    stores: fits ? yield* Layer.build(stores) : null
  }
  return open
})

/**
 * Connects until the scope closes. Creates no database, runs no migration, and never fails: the result says what was
 * found.
 */
export const probeDatabase = (options: GlobalOptions): Effect.Effect<DatabaseProbe, never, Scope.Scope> =>
  Effect.suspend(() => {
    const where = resolveHome(options)
    logLocation(options)
    try {
      if (!databaseExists(where)) return Effect.succeed<DatabaseProbe>({ state: "absent" })
    } catch (error) {
      return Effect.succeed<DatabaseProbe>({ state: "unreachable", error: describeError(error) })
    }
    return Layer.build(layerConnection(where)).pipe(
      Effect.flatMap((connection) => Effect.provide(probeOpenDatabase(where), connection)),
      Effect.catch((error) => Effect.succeed<DatabaseProbe>({ state: "unreachable", error: describeError(error) }))
    )
  })
