import { Deferred, Effect, Schedule } from "effect"
import { StoreError } from "../../ports/StoreError.ts"

/** Whether the same write may succeed later, because the database did not reject its content. */
const isAccepted = ({ reason }: StoreError): boolean => reason !== "constraint"

/**
 * Repeats a write whose failure would repeat or lose work that was paid for or posted. Stops when the write succeeds,
 * fails with an error that `isTemporary` rejects, or the process must end: two seconds after `abort`.
 */
export const keepTrying =
  (abort: Deferred.Deferred<void>, isTemporary = isAccepted) => <A, R>(write: Effect.Effect<A, StoreError, R>) =>
    write.pipe(
      Effect.retry({
        // Work that waits in memory is lost if the process is killed, so it is retried soon after the database is
        // available again
        schedule: Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("1 second")]),
        while: (error) => isTemporary(error) && !Deferred.isDoneUnsafe(abort)
      }),
      // A database that does not answer must not delay a process that must end
      Effect.interruptible,
      Effect.raceFirst(
        Effect.interruptible(Deferred.await(abort)).pipe(
          Effect.andThen(Effect.sleep("2 seconds")),
          Effect.andThen(Effect.fail(new StoreError({ reason: "unavailable", message: "no answer before the end" })))
        )
      )
    )
