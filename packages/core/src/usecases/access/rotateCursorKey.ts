import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { now } from "../now.ts"

/**
 * Starts to sign page cursors with a new key. Older cursors stay valid for 24 hours (`previousCursorKeyLifetime`). With
 * `immediate` they become invalid, on other processes within a minute.
 */
export const rotateCursorKey = Effect.fn("rotateCursorKey")(function*({ immediate }: { readonly immediate: boolean }) {
  const random = yield* SecureRandom.SecureRandom
  const key = yield* random.randomBytes(32)
  yield* (yield* InstanceStore).rotateCursorKey(key, yield* now, { keepPrevious: !immediate })
})
