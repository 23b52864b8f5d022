/** Groups reads: callers that wait at the same time share one statement. */
import { Array, type Cause, Effect, Exit, Fiber, Latch, Request, RequestResolver } from "effect"

/** A read of one key, and the statement that reads several keys. */
export interface GroupedReads<Key extends string, A, E> {
  readonly readOne: (key: Key) => Effect.Effect<A, E>
  /** Reads distinct keys; the result omits keys without a row. */
  readonly readMany: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyMap<Key, A>, E>
  /** The result for a key without a row. */
  readonly none: A
}

/** Maximum number of keys in one statement. */
const maxKeys = 64
/** A group that takes longer is abandoned, so that a statement that hangs delays later groups only this long. */
const deadline = "1 second"

/**
 * Runs one group at a time. Requests that arrive while a group runs form the next group, so each read begins after its
 * request and nothing is cached. If a group fails or misses its deadline, each caller reads its own key.
 */
export const groupReads = <Key extends string, A, E>({ none, readMany, readOne }: GroupedReads<Key, A, E>) => {
  interface Read extends Request.Request<A, E | Cause.TimeoutError> {
    readonly key: Key
  }
  const makeRead = Request.of<Read>()
  const idle = Latch.makeUnsafe(true)

  const readGroup = Effect.fnUntraced(function*(entries: ReadonlyArray<Request.Entry<Read>>) {
    const keys = new Set(entries.map(({ request }) => request.key))
    // Abandoned after its deadline without waiting: cancelling a statement may take seconds when the server does not
    // answer
    const reading = yield* Effect.forkDetach(Effect.forEach(Array.chunksOf(keys, maxKeys), readMany), {
      startImmediately: true
    })
    const found = yield* Fiber.join(reading).pipe(
      Effect.timeout(deadline),
      Effect.onError(() => Effect.sync(() => reading.interruptUnsafe()))
    )
    const values = new Map(found.flatMap((group) => [...group]))
    for (const entry of entries) {
      entry.completeUnsafe(Exit.succeed(values.get(entry.request.key) ?? none))
    }
  })

  const resolver = RequestResolver.makeWith<Read>({
    batchKey: () => idle,
    // Yields first, so that requests that arrive together are read together
    delay: Effect.andThen(Effect.yieldNow, idle.await),
    collectWhile: () => true,
    runAll: (entries) => Effect.andThen(idle.close, Effect.ensuring(readGroup(entries), idle.open))
  })

  return (key: Key): Effect.Effect<A, E> =>
    Effect.request(makeRead({ key }), resolver).pipe(Effect.catch(() => readOne(key)))
}
