/** Many small reads as few statements: what waits meanwhile is read together. */
import { Effect, Fiber, type Scope } from "effect"

/** A read of one key, and the statement that reads many of them. */
export interface GroupedReads<Key extends string, A, E> {
  readonly readOne: (key: Key) => Effect.Effect<A, E>
  /** What is read of each of these different keys; one without a row is left out. */
  readonly readMany: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyMap<Key, A>, E>
  /** What is read of a key without a row. */
  readonly none: A
}

/** Keys of one statement. */
const maxKeys = 64
/** Milliseconds after which those who wait no longer wait for the group before them. */
const slowMs = 20
/** Milliseconds after which a group is given up, and each of its keys read alone. */
const deadlineMs = 1_000
/** Groups at the same time: each has a connection. */
const maxGroups = 3

/**
 * Reads keys in groups. A read while none is running begins once the process has looked at everything that has come
 * with it; those that come while one runs wait for its end, and are read by the next statement together. So every read
 * begins after it was asked for, and nothing is kept. One whose group fails, or does not end within a second, is read
 * alone. Groups run outside of whoever asks, so a statement is not ended where one of several gives up.
 */
export const groupReads = <Key extends string, A, E>(
  { none, readMany, readOne }: GroupedReads<Key, A, E>
): Effect.Effect<(key: Key) => Effect.Effect<A, E>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const run = Effect.runForkWith(yield* Effect.context())
    const running = new Set<Fiber.Fiber<unknown, E>>()
    yield* Effect.addFinalizer(() => Fiber.interruptAll(running))
    type Waiter = (read: Effect.Effect<A, E>) => void
    const waiting = new Map<Key, Set<Waiter>>()
    /** Groups whose end those who wait are waiting for. */
    let quick = 0

    const begin = (): void => {
      if (quick > 0 || running.size >= maxGroups || waiting.size === 0) return
      const group = [...waiting].slice(0, maxKeys)
      for (const [key] of group) waiting.delete(key)
      quick++
      let counted = true
      const uncount = () => {
        if (counted) quick--
        counted = false
      }
      let answered = false
      const answer = (found: ReadonlyMap<Key, A> | null) => {
        if (answered) return
        answered = true
        for (const [key, waiters] of group) {
          const read = found === null ? readOne(key) : Effect.succeed(found.get(key) ?? none)
          for (const resume of waiters) resume(read)
        }
      }
      const fiber = run(readMany(group.map(([key]) => key)))
      running.add(fiber)
      const timer = run(Effect.gen(function*() {
        yield* Effect.sleep(slowMs)
        uncount()
        begin()
        yield* Effect.sleep(deadlineMs - slowMs)
        // Ending the statement may take seconds where its server does not answer
        fiber.interruptUnsafe()
        answer(null)
      }))
      fiber.addObserver((exit) => {
        timer.interruptUnsafe()
        running.delete(fiber)
        uncount()
        begin()
        answer(exit._tag === "Success" ? exit.value : null)
      })
    }

    let isDue = false
    /** Requests that come at the same time are handled one by one: the first of them waits for the others. */
    const beginSoon = (): void => {
      if (isDue || quick > 0) return
      isDue = true
      setImmediate(() => {
        isDue = false
        begin()
      })
    }

    return (key) =>
      Effect.callback<A, E>((resume) => {
        const waiters = waiting.get(key) ?? new Set<Waiter>()
        waiting.set(key, waiters)
        waiters.add(resume)
        beginSoon()
        return Effect.sync(() => {
          waiters.delete(resume)
          if (waiters.size === 0 && waiting.get(key) === waiters) waiting.delete(key)
        })
      })
  })
