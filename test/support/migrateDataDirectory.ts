import { layerInProcess, layerStores } from "@sov/core/postgres"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"

/**
 * Makes the database of a new data directory and brings it to the schema of this sov. Apart, since it loads all stores.
 */
export const migrateDataDirectory = (dataDir: string): Promise<unknown> =>
  Effect.runPromise(Effect.scoped(Layer.build(
    layerStores.pipe(Layer.provide(layerInProcess({ dataDir })), Layer.provide(SecureRandom.layerWebCrypto))
  )))
