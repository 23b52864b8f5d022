/** Background tasks spread over the processes: no two of them lie on one shard, which only one process can hold. */
import { Placement, platformIds, startWorker } from "@sov/core"
import { layerServer } from "@sov/core/postgres"
import { Effect, Layer, Redacted } from "effect"
import { make as entityId } from "effect/cluster/EntityId"
import { describe, expect, it } from "vitest"
import { layerWorkCluster, Sharding } from "../../packages/core/src/adapters/postgres/workers/workCluster.ts"
import { oneHome, postgresUrl } from "../support/homes.ts"
import { layerPlatforms, scriptedPlatform } from "../support/scriptedPlatforms.ts"
import { freshDatabase, layerHome } from "../support/storage.ts"

/** The names of all background tasks of a worker that asks every platform. */
const standingNames = Effect.gen(function*() {
  let names: ReadonlyArray<string> = []
  const noting = Layer.succeed(Placement, {
    exclusive: true,
    run: (work) => Effect.sync(() => void (names = Object.keys(work)))
  })
  const all = layerPlatforms(...platformIds.map((id) => scriptedPlatform(id, () => Effect.never)))
  yield* Effect.scoped(startWorker()).pipe(Effect.provide([noting, all, layerHome(oneHome[0]!)]))
  return names
})

describe.skipIf(postgresUrl === null)("shards of the cluster", () => {
  it("there is one shard for each background task", () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const names = yield* standingNames
      expect(names.length).toBeGreaterThanOrEqual(9)
      const { url } = yield* freshDatabase
      const server = layerServer({ url: Redacted.make(url) })
      const shards = yield* Effect.map(
        Effect.service(Sharding),
        (sharding) => names.map((name) => sharding.getShardId(entityId(name), "default").id)
      ).pipe(Effect.provide(Layer.provide(layerWorkCluster, server)))
      expect(shards.toSorted((a, b) => a - b)).toEqual([...new Set(shards)].toSorted((a, b) => a - b))
    }))))
})
