import { Duration, Effect, Schedule } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { attemptDeadline } from "../../domain/webhooks/Delivery.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import { now } from "../now.ts"

/**
 * Waits until every delivery of the organization that is due has been attempted once, by any process: at most as long
 * as an attempt takes. What fails is attempted again later, by the next worker.
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
