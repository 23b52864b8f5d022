import { Effect, type Schema } from "effect"
import { SecureRandom } from "effect/crypto"

/** A new UUIDv7 of the given brand, e.g. `newId(ScanId)`. */
export const newId = <A extends string>(brand: Schema.Schema<A>): Effect.Effect<A, never, SecureRandom.SecureRandom> =>
  Effect.flatMap(
    SecureRandom.SecureRandom,
    (random) => Effect.map(random.uuidV7(), (id) => id as string as typeof brand.Type)
  )
