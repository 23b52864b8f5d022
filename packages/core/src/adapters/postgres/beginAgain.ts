import { Cause, Effect, type Scope } from "effect"
import type { StandingWork } from "../../ports/Placement.ts"

/**
 * One piece of standing work, begun again a second after it ended or died, each time in a scope of its own, until it is
 * interrupted.
 */
export const beginAgain = <R>(
  name: string,
  work: StandingWork<R>[string]
): Effect.Effect<never, never, Exclude<R, Scope.Scope>> =>
  Effect.scoped(work).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.void
        : Effect.logWarning(`${name} stopped by itself and is begun again`, cause)
    ),
    Effect.andThen(Effect.sleep("1 second")),
    Effect.forever
  )
