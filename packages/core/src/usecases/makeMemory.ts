import { Clock, Effect } from "effect"

/** Keeps results by key up to the total size `most`; when it is full, it forgets the oldest first. */
const keepResults = <Value>(most: number, sizeOf: (value: Value) => number) => {
  const known = new Map<string, { readonly value: Value; readonly readAt: number }>()
  let size = 0
  const forget = (key: string) => {
    const found = known.get(key)
    if (found !== undefined) size -= sizeOf(found.value)
    known.delete(key)
  }
  const keep = (key: string, value: Value, readAt = 0) => {
    forget(key)
    known.set(key, { value, readAt })
    size += sizeOf(value)
    for (const oldest of known.keys()) {
      if (size <= most || oldest === key) break
      forget(oldest)
    }
  }
  return {
    find: (key: string): Value | undefined => known.get(key)?.value,
    keep,
    /** The result that was read for this key less than `keptMs` ago; without one, reads it and keeps it. */
    recall: Effect.fnUntraced(function*<E, R>(key: string, keptMs: number, read: Effect.Effect<Value, E, R>) {
      const at = yield* Clock.currentTimeMillis
      const found = known.get(key)
      // A clock that was set back would keep a result for as long as it was ahead
      if (found !== undefined && at >= found.readAt && at - found.readAt < keptMs) return found.value
      const value = yield* read
      keep(key, value, at)
      return value
    })
  }
}

/**
 * Keeps results in this process, separately for each database, because a database and its restored copy have the same
 * ids. `most` is the maximum total size of a database's results; by default each has the size 1. A port of the database
 * selects its results.
 */
export const makeMemory = <Value>(most: number, sizeOf: (value: Value) => number = () => 1) => {
  const memories = new WeakMap<object, ReturnType<typeof keepResults<Value>>>()
  return {
    of: (port: object) => {
      const memory = memories.get(port) ?? keepResults(most, sizeOf)
      memories.set(port, memory)
      return memory
    }
  }
}
