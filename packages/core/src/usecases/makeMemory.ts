import { Clock, Effect } from "effect"

/** Keeps up to `most` results by key in this process; when it is full, it forgets all of them. */
export const makeMemory = <Value>(most: number) => {
  const known = new Map<string, { readonly value: Value; readonly readAt: number }>()
  const keep = (key: string, value: Value, readAt = 0) => {
    if (known.size >= most) known.clear()
    known.set(key, { value, readAt })
  }
  return {
    find: (key: string): Value | undefined => known.get(key)?.value,
    keep,
    /** The result that was read for this key less than `keptMs` ago; without one, reads it and keeps it. */
    recall: Effect.fnUntraced(function*<E, R>(key: string, keptMs: number, read: Effect.Effect<Value, E, R>) {
      const at = yield* Clock.currentTimeMillis
      const found = known.get(key)
      if (found !== undefined && at - found.readAt < keptMs) return found.value
      const value = yield* read
      keep(key, value, at)
      return value
    })
  }
}
