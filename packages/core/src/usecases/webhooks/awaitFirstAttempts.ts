import { Duration, Effect, Schedule } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { attemptDeadline } from "../../domain/webhooks/Delivery.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import { now } from "../now.ts"

/**
 * Waits until every due delivery of the organization has been attempted once, by any process, but no longer than an
 * attempt may take. The next worker retries failures.
 */
export const awaitFirstAttempts = Effect.fn("awaitFirstAttempts")(function*(organizationId: OrganizationId) {
  const store = yield* DeliveryStore
  yield* Effect.flatMap(now, (at) => store.hasUnattempted(organizationId, at)).pipe(
    Effect.repeat({ while: (unattempted) => unattempted, schedule: Schedule.spaced("100 millis") }),
    Effect.timeoutOrElse({
      duration: Duration.sum(attemptDeadline, Duration.seconds(1)),
      orElse: () => Effect.void
    })
  )
})
