import { Context, Effect, Layer, References, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { type BackgroundTasks, Placement } from "../../../ports/Placement.ts"
import { restartForever } from "../restartForever.ts"

/**
 * Placement among the workers of one Postgres server: each task runs on one of them, roughly evenly distributed, and
 * moves when workers come and go. The tasks of a stopped worker move within 2 s of its end, those of a killed or frozen
 * worker after 9 s. A worker that has lost its locks notices within 3 s, or 6 s if the database does not answer. Each
 * call of `run` holds one connection of the pool; the pool needs at least one more.
 */
export const PgPlacement = Layer.effect(
  Placement,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Placement.of({
      exclusive: false,
      run: Effect.fnUntraced(function*<R>(tasks: BackgroundTasks<R>) {
        // Loaded here, because most commands run no tasks
        const { layerWorkCluster, Sharding } = yield* Effect.promise(() => import("./workCluster.ts"))
        // Closed last: leaving the cluster interrupts all tasks at once, while closing the registrations would
        // interrupt them one by one
        const registrations = yield* Scope.fork(yield* Effect.scope)
        const members = yield* Layer.build(Layer.fresh(layerWorkCluster)).pipe(
          Effect.provideService(SqlClient.SqlClient, sql)
        )
        const cluster = Context.get(members, Sharding)
        const level = yield* References.MinimumLogLevel // the cluster's own is lower
        for (const [name, task] of Object.entries(tasks)) {
          yield* cluster.registerSingleton(
            name,
            restartForever(name, task).pipe(Effect.provideService(References.MinimumLogLevel, level))
          ).pipe(Scope.provide(registrations))
        }
      })
    }))
)
