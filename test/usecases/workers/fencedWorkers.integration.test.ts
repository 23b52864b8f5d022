/** Two workers on one server, as on two machines: one that lost its locks ends its calls before the other begins. */
import { type PlatformId, platformIds, startScan, startWorker } from "@sov/core"
import { layerPlacement, layerServer, layerStores } from "@sov/core/postgres"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { postgresUrl } from "../../support/homes.ts"
import {
  type Ask,
  initializeOrganization,
  layerPlatforms,
  scanRequest,
  scriptedAnswer,
  scriptedPlatform
} from "../../support/scriptedPlatforms.ts"
import { freshDatabase } from "../../support/storage.ts"

describe.skipIf(postgresUrl === null)("on a server", () => {
  it(
    "no platform is asked beyond its limit when a worker loses its locks and another worker starts",
    () =>
      Effect.runPromise(Effect.scoped(Effect.gen(function*() {
        const inFlight = new Map<PlatformId, number>()
        const most = new Map<PlatformId, number>()
        const change = (id: PlatformId, by: number) => {
          const count = (inFlight.get(id) ?? 0) + by
          inFlight.set(id, count)
          most.set(id, Math.max(count, most.get(id) ?? 0))
        }
        const slow = (id: PlatformId): Ask => () =>
          Effect.acquireUseRelease(
            Effect.sync(() => change(id, 1)),
            () => Effect.as(Effect.sleep("4 seconds"), scriptedAnswer("Acme.")),
            () => Effect.sync(() => change(id, -1))
          )
        const asked = layerPlatforms(...platformIds.map((id) => scriptedPlatform(id, slow(id), 1)))
        const url = Redacted.make((yield* freshDatabase).url)
        /** What a machine has: connections and a membership of its own. */
        const machine = Layer.mergeAll(layerStores, layerPlacement({ url })).pipe(
          Layer.provideMerge(layerServer({ url })),
          Layer.provideMerge([SecureRandom.layerWebCrypto, asked])
        )
        const [first, second] = [yield* Layer.build(Layer.fresh(machine)), yield* Layer.build(Layer.fresh(machine))]
        yield* Effect.gen(function*() {
          const one = yield* startWorker()
          yield* startScan(yield* initializeOrganization(4), scanRequest)
          while (inFlight.size < platformIds.length) yield* Effect.sleep("20 millis")
          yield* (yield* SqlClient.SqlClient)`
          select pg_terminate_backend(pid) from pg_locks
          where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
          const two = yield* Effect.provide(startWorker(), second)
          yield* Effect.sleep("2500 millis")
          expect([...most.values()]).toEqual(platformIds.map(() => 1))
          yield* Effect.all([one.stop(0), two.stop(0)], { concurrency: 2 })
        }).pipe(Effect.provide(first))
      }))),
    120_000
  )
})
