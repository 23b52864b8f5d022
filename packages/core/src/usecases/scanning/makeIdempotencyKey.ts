import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"

/** Creates an Idempotency-Key for a form that may be sent more than once. */
export const makeIdempotencyKey: Effect.Effect<string, never, SecureRandom.SecureRandom> = Effect.flatMap(
  SecureRandom.SecureRandom,
  (random) => random.uuidV7()
)
