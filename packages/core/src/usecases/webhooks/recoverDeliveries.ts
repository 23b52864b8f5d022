import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import { replayDelivery } from "./deliverNow.ts"

/** Maximum number of deliveries that one call resends; the next call finds the rest. */
const maxRecovered = 10_000
const concurrency = 4

/** How many failed deliveries a recovery has found, resent and delivered. */
export interface RecoveryProgress {
  readonly failed: number
  readonly sent: number
  readonly delivered: number
}

/**
 * Resends every delivery to an endpoint that has failed permanently since `since`, oldest first, like `replayDelivery`:
 * a new failure is retried on the usual schedule. Deliveries that another process has restarted are skipped. Calls
 * `onSent` after each. Fails as `replayDelivery` does.
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
