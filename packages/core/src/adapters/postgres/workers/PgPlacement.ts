import { Context, Effect, Layer, References, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { Placement, type StandingWork } from "../../../ports/Placement.ts"
import { beginAgain } from "../beginAgain.ts"

/**
 * Placement among the processes that work on one Postgres server: each name goes to one of them, more or less evenly,
 * and moves when processes come and go. A process that ends hands over within 2 s of the end of its work; one that is
 * killed or frozen is given 9 s. Who lost its locks or wakes notices within 3 s, or 6 when the database does not answer.
 * Each call of `keep` holds one connection of the pool, which needs at least one more.
 */
export const PgPlacement = Layer.effect(
  Placement,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Placement.of({
      exact: false,
      keep: Effect.fnUntraced(function*<R>(work: StandingWork<R>) {
        // Lazily, since most commands keep no work
        const { layerWorkCluster, Sharding } = yield* Effect.promise(() => import("./workCluster.ts"))
        // Closes last: leaving the cluster interrupts all work at once, ending the registrations one after the other
        const registrations = yield* Scope.fork(yield* Effect.scope)
        const members = yield* Layer.build(Layer.fresh(layerWorkCluster)).pipe(
          Effect.provideService(SqlClient.SqlClient, sql)
        )
        const cluster = Context.get(members, Sharding)
        const level = yield* References.MinimumLogLevel // the cluster's own is lower
        for (const [name, effect] of Object.entries(work)) {
          yield* cluster.registerSingleton(
            name,
            beginAgain(name, effect).pipe(Effect.provideService(References.MinimumLogLevel, level))
          ).pipe(Scope.provide(registrations))
        }
      })
    }))
)
