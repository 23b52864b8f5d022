import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import { replayDelivery } from "./deliverNow.ts"

/** Deliveries that one call sends again at most; the next call finds the rest. */
const maxRecovered = 10_000
const concurrency = 4

/** How far a recovery is: deliveries that failed, those sent again so far, and those of them that were delivered. */
export interface RecoveryProgress {
  readonly failed: number
  readonly sent: number
  readonly delivered: number
}

/**
 * Sends every delivery to an endpoint again that has failed for good since then, the oldest first, as `replayDelivery`
 * does: what fails again is retried on the usual schedule. What somebody else has begun again meanwhile is theirs.
 * `onSent` is called after each. Fails as `replayDelivery` does.
 */
export const recoverDeliveries = Effect.fn("recoverDeliveries")(
  function*(
    organizationId: OrganizationId,
    endpointId: EndpointId,
    since: Date,
    onSent: (progress: RecoveryProgress) => void = () => undefined
  ) {
    const failed = yield* (yield* DeliveryStore).list(organizationId, {
      limit: maxRecovered,
      endpointId,
      failedSince: since
    })
    let progress: RecoveryProgress = { failed: failed.length, sent: 0, delivered: 0 }
    yield* Effect.forEach(
      failed.toReversed(),
      ({ id }) =>
        Effect.map(replayDelivery(organizationId, id), ({ failure }) => {
          progress = {
            ...progress,
            sent: progress.sent + 1,
            delivered: progress.delivered + (failure === null ? 1 : 0)
          }
          onSent(progress)
        }).pipe(Effect.catchTag("DeliveryInFlight", () => Effect.void)),
      { concurrency, discard: true }
    )
    return progress
  }
)
