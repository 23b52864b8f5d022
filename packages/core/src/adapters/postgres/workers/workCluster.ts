/**
 * The cluster of the processes that work on one Postgres database: Effect's sharding with advisory locks, one of which
 * lies on each name's shard. Singletons exchange no messages, so no process listens anywhere: they know each other by
 * rows with a heartbeat. Loaded when tasks are placed, not before.
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

/** Of this process alone; it is an address only in name. */
const makeAddress = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV4()).pipe(
  Effect.map((host) => RunnerAddress.make({ host, port: 0 })),
  Effect.provide(SecureRandom.layerWebCrypto)
)

const layerShardingConfig = Layer.unwrap(Effect.map(makeAddress, (address) =>
  ShardingConfig.layer({
    runnerAddress: Option.some(address),
    // Enough that each background task has a shard of its own, which is tested. The same in all processes
    shardsPerGroup: 20,
    // After a process died or froze, others wait this long for its heartbeat
    shardLockExpiration: "9 seconds",
    shardLockRefreshInterval: "3 seconds",
    refreshAssignmentsInterval: "1 second",
    entityMessagePollInterval: "1 second"
  })))

/** Its log lines are shown at debug level only: a lost connection is restored without anybody's help. */
const quiet = Layer.unwrap(
  Effect.map(References.MinimumLogLevel, (level) =>
    level === "Debug" || level === "Trace" || level === "All"
      ? Layer.empty
      : Layer.succeed(References.MinimumLogLevel, "None"))
)

const migrationsTable = `${prefix}_runner_migrations`
const undefinedTable = "42P01"

/** Makes the tables of the cluster, unless they are there: who only works may not make any. */
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
 * Makes this process a member, with tables `sov_cluster_*` that are made first. Holds one connection of the pool for as
 * long as it is a member. Closing the layer interrupts all singletons, awaits them and leaves.
 */
export const layerWorkCluster = Sharding.layer.pipe(
  Layer.provide([Runners.layerNoop, RunnerHealth.layerNoop]),
  Layer.provide(SqlRunnerStorage.layerStorage({ prefix })),
  Layer.provide([MessageStorage.layerNoop, layerShardingConfig]),
  Layer.provide(quiet),
  Layer.provide(Layer.effectDiscard(migrateWorkCluster)),
  layerWithStoreErrors("join the workers")
)
