import { Cause, Effect, type Scope } from "effect"
import type { BackgroundTasks } from "../../ports/Placement.ts"

/** Runs one background task until interrupted. It restarts the task, in a new scope, a second after it ends or dies. */
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
