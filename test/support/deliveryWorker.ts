/**
 * A worker in a separate process, for tests that kill it: `deliveryWorker.ts DIRECTORY` delivers until it is stopped.
 */
import { startWorker } from "@sov/core"
import { layerMigrated, layerPlacement } from "@sov/core/postgres"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { layerPlatforms } from "./scriptedPlatforms.ts"

const home = { dataDir: process.argv[2]! }
const services = Layer.mergeAll(
  layerPlacement(home).pipe(Layer.provideMerge(layerMigrated(home))),
  layerPlatforms(),
  SecureRandom.layerWebCrypto
)
await Effect.runPromise(
  Effect.scoped(Effect.andThen(startWorker(), Effect.never)).pipe(Effect.provide(services))
)
