import { Placement } from "@sov/core"
import { layerLockPlacement, layerPlacement, layerPlacementAlone, layerServer } from "@sov/core/postgres"
import { Effect, Layer, Redacted } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, it } from "vitest"
import { postgresUrl } from "../support/homes.ts"
import { emptyDatabase } from "../support/storage.ts"
import { type Members, placementContract } from "./placementContract.ts"

const build = <E>(layer: Layer.Layer<Placement, E>) =>
  Effect.flatMap(Layer.build(Layer.fresh(layer)), (context) => Effect.provideContext(Placement, context))

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sov-placement-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

const homes: ReadonlyArray<readonly [string, Members<unknown>]> = [
  [
    "the embedded home",
    Effect.flatMap(directory, (dataDir) => {
      const taker = build(layerLockPlacement(dataDir))
      return Effect.all([taker, taker])
    })
  ],
  ["a database nobody else can open", Effect.map(build(layerPlacementAlone), (only) => [only, only] as const)],
  [
    "a Postgres server",
    Effect.flatMap(emptyDatabase(), ({ url: address }) => {
      const url = Redacted.make(address)
      // One connection for the cluster and one for everything else
      const taker = build(layerPlacement({ url }).pipe(Layer.provide(layerServer({ url, maxConnections: 2 }))))
      return Effect.all([taker, taker])
    })
  ]
]

describe.concurrent.each(homes.slice(0, postgresUrl === null ? -1 : undefined))("Placement on %s", (_, members) => {
  it.concurrent.each(placementContract(members))("$name", ({ effect }) => Effect.runPromise(effect))
})
