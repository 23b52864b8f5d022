import { Effect, type Schema } from "effect"
import { SecureRandom } from "effect/crypto"

/** Creates a UUIDv7 of the given brand, e.g. `newId(ScanId)`. */
export const newId = <A extends string>(brand: Schema.Schema<A>): Effect.Effect<A, never, SecureRandom.SecureRandom> =>
  Effect.flatMap(
    SecureRandom.SecureRandom,
    (random) => Effect.map(random.uuidV7(), (id) => id as string as typeof brand.Type)
  )

const uuidBytes = 16

/**
 * Creates `count` UUIDv7 of the given brand, ascending. All random bytes are drawn at once, because drawing is most of
 * the work.
 */
export const newIds = <A extends string>(
  brand: Schema.Schema<A>,
  count: number
): Effect.Effect<ReadonlyArray<A>, never, SecureRandom.SecureRandom> =>
  Effect.gen(function*() {
    const bytes = yield* (yield* SecureRandom.SecureRandom).randomBytes(uuidBytes * count)
    let drawn = 0
    const random = SecureRandom.make((size) => bytes.slice(drawn, drawn += size))
    const ids = yield* Effect.replicateEffect(random.uuidV7(), count)
    return ids as ReadonlyArray<string> as ReadonlyArray<typeof brand.Type>
  })
