import { Effect, Exit, Fiber, Option } from "effect"
import type { SqlClient } from "effect/sql"

/** After this time without an answer a session may be stuck. */
const patience = "1 second"
/** How many sessions are given up. */
const maxGivenUp = 3

/**
 * Runs a statement, and again on another session of the pool where one does not answer: what it does must be right when
 * it is done twice. In a transaction it runs once, since it belongs to that session.
 */
export const tryElsewhere =
  (sql: SqlClient.SqlClient) => <A, E, R>(statement: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const run = (left: number): Effect.Effect<A, E, R> =>
      left === 0 ? statement : Effect.flatMap(
        Effect.forkDetach(statement, { startImmediately: true }),
        (fiber) => {
          // Not awaited: cancelling a statement may take seconds when the server does not answer
          const giveUp = Effect.sync(() => fiber.interruptUnsafe())
          return Fiber.await(fiber).pipe(
            Effect.timeoutOption(patience),
            Effect.onInterrupt(() => giveUp),
            Effect.flatMap(Option.match({
              onNone: () => Effect.andThen(giveUp, run(left - 1)),
              onSome: (exit: Exit.Exit<A, E>) => exit
            }))
          )
        }
      )
    return Effect.flatMap(
      Effect.serviceOption(sql.transactionService),
      (transaction) => Option.isSome(transaction) ? statement : run(maxGivenUp)
    )
  }
