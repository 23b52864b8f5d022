import { Effect } from "effect"
import { InstanceStore } from "../ports/InstanceStore.ts"
import { BadCursor } from "./errors.ts"

/**
 * Decodes the position of a cursor with any valid key; null without a cursor. Another process may have rotated the
 * keys, so they are read again before a cursor is refused. Fails with BadCursor.
 */
export const openCursor = Effect.fnUntraced(function*<Position>(
  cursor: string | undefined,
  decode: (key: Uint8Array, cursor: string) => Position | null
) {
  if (cursor === undefined) return null
  const { cursorKeys, readCursorKeys } = yield* InstanceStore
  for (const keys of [cursorKeys, readCursorKeys]) {
    for (const key of yield* keys) {
      const position = decode(key, cursor)
      if (position !== null) return position
    }
  }
  return yield* new BadCursor()
})
