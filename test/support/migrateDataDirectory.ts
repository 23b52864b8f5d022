import { layerInProcess, layerStores } from "@sov/core/postgres"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"

/**
 * Creates the database of a new data directory and migrates it to the current schema. In a separate module, because it
 * loads all stores.
 */
export const migrateDataDirectory = (dataDir: string): Promise<unknown> =>
  Effect.runPromise(Effect.scoped(Layer.build(
    layerStores.pipe(Layer.provide(layerInProcess({ dataDir })), Layer.provide(SecureRandom.layerWebCrypto))
  )))
