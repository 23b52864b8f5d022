/** Many small reads as few statements: what waits meanwhile is read together. */
import { Effect, type Fiber, FiberSet, type Scope } from "effect"

/** A read of one key, and the statement that reads many of them. */
export interface GroupedReads<Key extends string, A, E> {
  readonly readOne: (key: Key) => Effect.Effect<A, E>
  /** What is read of each of these different keys; one without a row is left out. */
  readonly readMany: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyMap<Key, A>, E>
  /** What is read of a key without a row. */
  readonly none: A
}

/** Those who wait for one key: its read begins after all of them have come. */
interface Asked<A, E> {
  readonly waiters: Set<(read: Effect.Effect<A, E>) => void>
  /** The read of this key alone, once its group has not answered. */
  alone?: Fiber.Fiber<A, E>
}

/** Keys of one statement. */
const maxKeys = 64
/** Milliseconds after which those who wait no longer wait for the group before them. */
const slowMs = 20
/** Milliseconds after which a group is given up, and each of its keys read alone. */
const deadlineMs = 1_000
/** Groups at the same time, without those that are given up: each has a connection. */
const maxGroups = 3

/**
 * Reads keys in groups. A read while none is running begins once the process has looked at everything that has come
 * with it; those that come while one runs wait for its end, and are read by the next statement together. So every read
 * begins after it was asked for, and nothing is kept. A group that fails, or does not end within a second, is given
 * up: each of its keys is read alone, once for all who wait for it. A group that is given up holds up no other, even
 * where ending its statement takes longer. Reads run outside of whoever asks, so a statement is not ended where one of
 * several gives up; a key's read alone is ended where all of them do.
 */
export const groupReads = <Key extends string, A, E>(
  { none, readMany, readOne }: GroupedReads<Key, A, E>
): Effect.Effect<(key: Key) => Effect.Effect<A, E>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const run = yield* FiberSet.makeRuntime<never, unknown, E>()
    type Group = ReadonlyMap<Key, Asked<A, E>>
    const waiting = new Map<Key, Asked<A, E>>()
    /** Groups that are neither answered nor given up. */
    const running = new Set<Group>()
    /** Those of them whose end those who wait are waiting for. */
    const quick = new Set<Group>()

    const readAlone = (key: Key, asked: Asked<A, E>): void => {
      if (asked.waiters.size === 0) return
      asked.alone = run(readOne(key))
      asked.alone.addObserver((exit) => {
        for (const resume of asked.waiters) resume(exit)
      })
    }

    const begin = (): void => {
      if (quick.size > 0 || running.size >= maxGroups || waiting.size === 0) return
      const group: Group = new Map([...waiting].slice(0, maxKeys))
      for (const key of group.keys()) waiting.delete(key)
      running.add(group)
      quick.add(group)
      const answer = (found: ReadonlyMap<Key, A> | null) => {
        if (!running.delete(group)) return
        quick.delete(group)
        begin()
        for (const [key, asked] of group) {
          if (found === null) readAlone(key, asked)
          else for (const resume of asked.waiters) resume(Effect.succeed(found.get(key) ?? none))
        }
      }
      const fiber = run(readMany([...group.keys()]))
      const timer = run(Effect.gen(function*() {
        yield* Effect.sleep(slowMs)
        quick.delete(group)
        begin()
        yield* Effect.sleep(deadlineMs - slowMs)
        // Ending the statement may take seconds where its server does not answer
        fiber.interruptUnsafe()
        answer(null)
      }))
      fiber.addObserver((exit) => {
        timer.interruptUnsafe()
        answer(exit._tag === "Success" ? exit.value : null)
      })
    }

    let isDue = false
    /** Requests that come at the same time are handled one by one: the first of them waits for the others. */
    const beginSoon = (): void => {
      if (isDue || quick.size > 0) return
      isDue = true
      setImmediate(() => {
        isDue = false
        begin()
      })
    }

    return (key) =>
      Effect.callback<A, E>((resume) => {
        const asked = waiting.get(key) ?? { waiters: new Set() }
        waiting.set(key, asked)
        asked.waiters.add(resume)
        beginSoon()
        return Effect.sync(() => {
          asked.waiters.delete(resume)
          if (asked.waiters.size > 0) return
          if (waiting.get(key) === asked) waiting.delete(key)
          asked.alone?.interruptUnsafe()
        })
      })
  })
