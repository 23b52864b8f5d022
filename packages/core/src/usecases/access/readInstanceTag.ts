import { Effect } from "effect"
import { makeInstanceTag } from "../../domain/access/instanceTag.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"

/** Reads the eight hex digits that tell this installation from others on the same host name; they are no secret. */
export const readInstanceTag = Effect.fnUntraced(function*() {
  return makeInstanceTag(yield* (yield* InstanceStore).firstCursorKey)
})
