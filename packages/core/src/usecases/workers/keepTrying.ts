import { Deferred, Effect, Schedule } from "effect"
import { StoreError } from "../../ports/StoreError.ts"

/**
 * Repeats a write whose loss would repeat or lose what was done, until it succeeds or the process has to end: two
 * seconds after `abort`. What the database rejects for what it is fails at once.
 */
export const keepTrying = (abort: Deferred.Deferred<void>) => <A, R>(write: Effect.Effect<A, StoreError, R>) =>
  write.pipe(
    Effect.retry({
      schedule: Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("1 second")]),
      while: ({ reason }) => reason !== "constraint" && !Deferred.isDoneUnsafe(abort)
    }),
    Effect.interruptible,
    Effect.raceFirst(
      Effect.interruptible(Deferred.await(abort)).pipe(
        Effect.andThen(Effect.sleep("2 seconds")),
        Effect.andThen(Effect.fail(new StoreError({ reason: "unavailable", message: "no answer before the end" })))
      )
    )
  )
