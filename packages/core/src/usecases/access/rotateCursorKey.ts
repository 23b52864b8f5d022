import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { now } from "../now.ts"

/**
 * Signs page cursors with a new key. Older cursors stay valid for 24 hours (`previousCursorKeyLifetime`); `immediate`
 * ends them, on other processes within a minute.
 */
export const rotateCursorKey = Effect.fn("rotateCursorKey")(function*({ immediate }: { readonly immediate: boolean }) {
  const random = yield* SecureRandom.SecureRandom
  const key = yield* random.randomBytes(32)
  yield* (yield* InstanceStore).rotateCursorKey(key, yield* now, { keepPrevious: !immediate })
})
