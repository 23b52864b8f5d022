/** Lets the delivery worker resend failed deliveries in the background. */
import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { hostOf } from "../../domain/webhooks/Webhook.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { Rejected } from "../errors.ts"
import { now } from "../now.ts"
import { findEndpoint } from "./reads.ts"

/** Counts the deliveries to an endpoint that have failed permanently since `since`, without test samples. */
export const countFailedDeliveries = Effect.fn("countFailedDeliveries")(
  function*(organizationId: OrganizationId, endpointId: EndpointId, since: Date) {
    return yield* (yield* DeliveryStore).countFailed(organizationId, endpointId, since)
  }
)

/**
 * Restarts every delivery to an endpoint that has failed permanently since `since`, without test samples; the delivery
 * worker sends them on the usual schedule. Returns their number. Fails with NotFound, and with Rejected for a disabled
 * endpoint.
 */
export const requeueDeliveries = Effect.fn("requeueDeliveries")(
  function*(organizationId: OrganizationId, endpointId: EndpointId, since: Date) {
    const endpoint = yield* findEndpoint(organizationId, endpointId)
    if (endpoint.disabledReason !== null) {
      return yield* new Rejected({ field: "webhook", message: `${endpoint.url} is disabled: enable it first` })
    }
    const restart = (yield* DeliveryStore).restartFailed(organizationId, endpointId, since, yield* now)
    return yield* runActs(organizationId, restart, (deliveries) =>
      deliveries === 0 ? [] : [{
        action: "endpoint.deliveries_replayed",
        subjectId: endpointId,
        detail: { host: hostOf(endpoint), since: since.toISOString(), deliveries }
      }])
  }
)
