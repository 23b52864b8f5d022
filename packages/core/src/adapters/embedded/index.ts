/**
 * The embedded database: Postgres 18 (PGlite) in a data directory, shared by any number of processes on one machine.
 * Needs a local disk and a single user. All connections share one session, so there are no advisory locks, `SET` or
 * temporary tables.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Duplex } from "node:stream"
import { EmbeddedError } from "./EmbeddedError.ts"
import { type InProcessTarget, openInProcess } from "./inProcess.ts"
import { OwnerClient } from "./OwnerClient.ts"
import { writeOwnerSettings } from "./ownerSettings.ts"
import type { OwnerDelay } from "./OwnerWait.ts"

export { EmbeddedError } from "./EmbeddedError.ts"
export { hasDatabase } from "./hasDatabase.ts"
export { inspectOwner, listUnknownFiles, type OwnerStatus } from "./inspectOwner.ts"
export { tryKernelLock } from "./kernelLock.ts"
export { readKeyFile, readOrCreateKeyFile } from "./keyFile.ts"
export { listSettingsFaults } from "./ownerSettings.ts"
export type { OwnerDelay } from "./OwnerWait.ts"
export type { EmbeddedReason } from "./refusal.ts"
export { WorkerLock } from "./WorkerLock.ts"

/** How to reach the database of a data directory. */
export interface EmbeddedOptions {
  /** The data directory; created if missing (0700). The database is in its folder `db`. */
  readonly dataDir: string
  /** Connections in this process's pool; default 8. They share one session and take turns. */
  readonly maxConnections?: number
  /**
   * Milliseconds to wait for an owner process that makes no progress; default 60,000. While the owner makes progress,
   * on a first start or a recovery, a client waits for up to ten minutes.
   */
  readonly waitMs?: number
  /** Called while a client waits for the owner process: after ten seconds, then every minute. */
  readonly onWait?: (delay: OwnerDelay) => void
  /**
   * How long the owner process stays after its last client leaves, in milliseconds; default 5,000. Stored in
   * `settings.json` of the data directory, because it applies to all clients.
   */
  readonly lingerMs?: number
}

/** How to open a database inside this process. */
export interface InProcessOptions extends InProcessTarget {
  /** Connections of the pool; default 8. */
  readonly maxConnections?: number
}

type SqlClients = PgClient.PgClient | SqlClient

const layerClient = (stream: () => Duplex, maxConnections: number | undefined) =>
  PgClient.layer({
    stream,
    username: "postgres",
    database: "postgres",
    applicationName: "sov",
    prepare: false, // all connections share one session, and so would the names of their statements
    maxConnections: maxConnections ?? 8,
    connectTimeout: "120 seconds"
  })

/**
 * A client of the data directory's owner process, which all processes share and which is started if needed. Fails at
 * once with the reason if the directory cannot be used. If a connection is lost later, the current statement fails with
 * a `SqlError` and its outcome is unknown; the next statement finds or starts an owner. The time zone is UTC.
 */
export const layer = (options: EmbeddedOptions): Layer.Layer<SqlClients, EmbeddedError | SqlError> =>
  Layer.unwrap(Effect.gen(function*() {
    const toEmbeddedError = (error: unknown) => EmbeddedError.from(options.dataDir, error)
    const owner = yield* Effect.acquireRelease(
      Effect.try({
        try: () => new OwnerClient(options.dataDir, options.waitMs ?? 60_000, options.onWait),
        catch: toEmbeddedError
      }),
      (owner) => Effect.sync(() => owner.close())
    )
    const { lingerMs } = options
    if (lingerMs !== undefined) {
      yield* Effect.try({
        try: () => writeOwnerSettings(owner.dataDir, { ownerLingerMs: lingerMs }),
        catch: toEmbeddedError
      })
    }
    yield* Effect.tryPromise({ try: () => owner.hold(), catch: toEmbeddedError })
    return layerClient(owner.connect, options.maxConnections)
  }))

/**
 * The database inside this process, in a data directory or in memory. A directory is held exclusively: opening fails
 * with `busy` if another process or layer has it. Statements run on this process's event loop and block it. The time
 * zone is UTC.
 */
export const layerInProcess = (options: InProcessOptions = {}): Layer.Layer<SqlClients, EmbeddedError | SqlError> =>
  Layer.unwrap(Effect.gen(function*() {
    const database = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () => openInProcess(options),
        catch: (error) => EmbeddedError.from(options.dataDir ?? "memory", error)
      }),
      (database) => Effect.promise(() => database.close())
    )
    return layerClient(database.connect, options.maxConnections)
  }))
