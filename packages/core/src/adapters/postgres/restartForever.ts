import { Cause, Effect, type Scope } from "effect"
import type { BackgroundTasks } from "../../ports/Placement.ts"

/** Runs one background task, restarted a second after it ended or died, each time in a new scope, until interrupted. */
export const restartForever = <R>(
  name: string,
  task: BackgroundTasks<R>[string]
): Effect.Effect<never, never, Exclude<R, Scope.Scope>> =>
  Effect.scoped(task).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.void
        : Effect.logWarning(`${name} stopped by itself and is restarted`, cause)
    ),
    Effect.andThen(Effect.sleep("1 second")),
    Effect.forever
  )
