/**
 * The embedded database: Postgres 18 (PGlite) in a data directory, shared by any number of processes of one machine.
 * Needs a local disk and one user. Session state is shared by all connections: no advisory locks, `SET` or temporary
 * tables.
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
  /** The data directory; made when absent (0700). The database lives in its `db`. */
  readonly dataDir: string
  /** Connections of this process's pool; default 8. They share one session and take turns. */
  readonly maxConnections?: number
  /**
   * How long the owner process may do nothing before it answers, in milliseconds; default 60,000. As long as it works,
   * on a first start or a recovery, a client waits for up to ten minutes.
   */
  readonly waitMs?: number
  /** Is told of a wait for the owner process, after ten seconds and then each minute. */
  readonly onWait?: (delay: OwnerDelay) => void
  /**
   * How long the owner process stays after its last client, in milliseconds; default 5,000. Kept in `settings.json` of
   * the data directory, because it holds for all who use it.
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
 * A client of the data directory's owner process, which is started if absent and shared by all processes. It
 * fails at once, with its reason, when the directory cannot be used. A connection lost later is a `SqlError` of the
 * statement that met it, whose outcome is then unknown; the next one finds or starts an owner again. Time zone UTC.
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
 * The database inside this process, in a data directory or in memory. A directory is held exclusively: `busy` when
 * another process or layer has it. Statements run on this process's event loop and block it. Time zone UTC.
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
