import { Effect } from "effect"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"

/**
 * Checks once a day on which day the platform's model ends. The first check is a minute after the worker starts, so
 * that a worker for a single scan leaves it to others. A failed check records nothing.
 */
export const followEnd = ({ health, platform }: {
  readonly platform: AnswerPlatform
  readonly health: { readonly recordEnd: (day: string | null) => void }
}) =>
  platform.findEnd === undefined || platform.simulated
    ? Effect.void
    : platform.findEnd.pipe(
      Effect.map(health.recordEnd),
      Effect.catch((error) => Effect.logDebug("the end of the model could not be looked up", error)),
      Effect.andThen(Effect.sleep("1 day")),
      Effect.forever,
      Effect.delay("1 minute")
    )
