/**
 * The cluster of processes that work on one Postgres database: Effect's sharding with advisory locks, one for each
 * shard. A task's name determines its shard. Singletons exchange no messages, so no process listens on a port:
 * processes know each other through rows with a heartbeat. This module is loaded only when tasks are placed.
 */
import { Effect, Layer, Option, References } from "effect"
import * as MessageStorage from "effect/cluster/MessageStorage"
import { RunnerAddress } from "effect/cluster/RunnerAddress"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as Runners from "effect/cluster/Runners"
import * as Sharding from "effect/cluster/Sharding"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { StoreError } from "../../../ports/StoreError.ts"
import { checkMayMigrate, runMigrations } from "../migrate.ts"
import { layerWithStoreErrors, sqlState } from "../sqlErrors.ts"

export { Sharding } from "effect/cluster/Sharding"

const prefix = "sov_cluster"

/** Makes an address that is unique to this process; nothing connects to it. */
const makeAddress = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV4()).pipe(
  Effect.map((host) => RunnerAddress.make({ host, port: 0 })),
  Effect.provide(SecureRandom.layerWebCrypto)
)

const layerShardingConfig = Layer.unwrap(Effect.map(makeAddress, (address) =>
  ShardingConfig.layer({
    runnerAddress: Option.some(address),
    // Enough shards that each background task has its own, which a test checks. Must be the same in all processes
    shardsPerGroup: 20,
    // How long other processes wait for a missing heartbeat before they treat a process as dead or frozen
    shardLockExpiration: "9 seconds",
    shardLockRefreshInterval: "3 seconds",
    refreshAssignmentsInterval: "1 second",
    entityMessagePollInterval: "1 second"
  })))

/** Shows the cluster's log lines at debug level only, because lost connections are restored automatically. */
const quiet = Layer.unwrap(
  Effect.map(References.MinimumLogLevel, (level) =>
    level === "Debug" || level === "Trace" || level === "All"
      ? Layer.empty
      : Layer.succeed(References.MinimumLogLevel, "None"))
)

const migrationsTable = `${prefix}_runner_migrations`
const undefinedTable = "42P01"

/** Creates the cluster's tables if they are missing. A worker's role may not create tables. */
export const migrateWorkCluster = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const steps = SqlRunnerStorage.migrations({ prefix })
  const newest = Math.max(...(yield* Effect.orDie(steps)).map(([id]) => id))
  const [row] = yield* sql<{ readonly version: number | null }>`
    select max(migration_id) as version from ${sql(migrationsTable)}
  `.pipe(Effect.catchIf((error) => sqlState(error) === undefinedTable, () => Effect.succeed([])))
  if ((row?.version ?? 0) >= newest) return
  yield* checkMayMigrate(row?.version ?? 0, newest).pipe(
    Effect.catchTag("SchemaOlder", ({ role }) =>
      Effect.fail(
        new StoreError({
          reason: "denied",
          message: `join the workers: the role ${role} may not make their tables, \`sov db migrate\` of the owner does`
        })
      ))
  )
  yield* runMigrations(migrationsTable, steps)
})

/**
 * Makes this process a member of the cluster, after creating the tables `sov_cluster_*`. Holds one connection of the
 * pool while it is a member. Closing the layer interrupts all singletons, waits for them and leaves the cluster.
 */
export const layerWorkCluster = Sharding.layer.pipe(
  Layer.provide([Runners.layerNoop, RunnerHealth.layerNoop]),
  Layer.provide(SqlRunnerStorage.layerStorage({ prefix })),
  Layer.provide([MessageStorage.layerNoop, layerShardingConfig]),
  Layer.provide(quiet),
  Layer.provide(Layer.effectDiscard(migrateWorkCluster)),
  layerWithStoreErrors("join the workers")
)
