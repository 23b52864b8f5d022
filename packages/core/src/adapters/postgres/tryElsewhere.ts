import { Deferred, Effect, Fiber, Option } from "effect"
import type { SqlClient } from "effect/sql"

/** A session that has not answered within this time may be stuck. */
const patience = "1 second"
/** Maximum number of sessions that may be abandoned. */
const maxGivenUp = 3

/**
 * Runs `make`, and runs it again if the first run has neither ended in time nor called `answered`. A run that calls
 * `answered` learns whether it may continue. The abandoned run is not awaited: cancelling may take seconds when the
 * server does not answer.
 */
const runAgain = <A, E, R>(
  make: (answered: () => boolean) => Effect.Effect<A, E, R>,
  left: number
): Effect.Effect<A, E, R> =>
  Effect.gen(function*() {
    const settled = yield* Deferred.make<boolean>()
    let isGivenUp = false
    const fiber = yield* Effect.forkDetach(
      make(() => {
        if (!isGivenUp) Deferred.doneUnsafe(settled, Effect.succeed(true))
        return !isGivenUp
      }),
      { startImmediately: true }
    )
    fiber.addObserver(() => Deferred.doneUnsafe(settled, Effect.succeed(true)))
    const timer = yield* Effect.forkDetach(Effect.andThen(
      Effect.sleep(patience),
      Effect.sync(() => {
        isGivenUp = left > 0 && Deferred.doneUnsafe(settled, Effect.succeed(false))
      })
    ))
    const isSettled = yield* Effect.onInterrupt(Deferred.await(settled), () => Fiber.interrupt(fiber))
    timer.interruptUnsafe()
    if (isSettled) return yield* Effect.onInterrupt(Fiber.join(fiber), () => Fiber.interrupt(fiber))
    fiber.interruptUnsafe()
    return yield* runAgain(make, left - 1)
  })

const isInTransaction = (sql: SqlClient.SqlClient) =>
  Effect.map(Effect.serviceOption(sql.transactionService), Option.isSome)

/**
 * Runs a statement, and runs it again on another session of the pool if the first session does not answer. Running the
 * statement twice must be safe. In a transaction it runs once, because the transaction belongs to its session.
 */
export const tryElsewhere =
  (sql: SqlClient.SqlClient) => <A, E, R>(statement: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(isInTransaction(sql), (inside) => inside ? statement : runAgain(() => statement, maxGivenUp))

/**
 * Begins a transaction on another session of the pool if the first session does not begin it in time. The body runs
 * once.
 */
export const beginWithFallback = (sql: SqlClient.SqlClient) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(isInTransaction(sql), (inside) =>
    inside
      ? sql.withTransaction(effect)
      : runAgain(
        (answered) => sql.withTransaction(Effect.suspend(() => answered() ? effect : Effect.interrupt)),
        maxGivenUp
      ))
