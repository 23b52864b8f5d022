/** Deliveries that failed, sent again by the delivery worker: at once, and without anybody who waits for them. */
import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { hostOf } from "../../domain/webhooks/Webhook.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { Rejected } from "../errors.ts"
import { now } from "../now.ts"
import { findEndpoint } from "./reads.ts"

/** Counts the deliveries to an endpoint that have failed for good at `since` or later, without samples of a test. */
export const countFailedDeliveries = Effect.fn("countFailedDeliveries")(
  function*(organizationId: OrganizationId, endpointId: EndpointId, since: Date) {
    return yield* (yield* DeliveryStore).countFailed(organizationId, endpointId, since)
  }
)

/**
 * Begins every delivery to an endpoint again that has failed for good at `since` or later, without samples of a test;
 * the delivery worker sends them on the usual schedule. Returns how many. Fails with NotFound, and with Rejected for an
 * endpoint that is disabled.
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
