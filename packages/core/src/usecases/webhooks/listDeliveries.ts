import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import type { DeliveryState } from "../../domain/webhooks/Delivery.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"

/** Which deliveries, and how many at most. */
export interface DeliveryQuery {
  readonly limit: number
  readonly endpointId?: EndpointId
  readonly state?: DeliveryState
  /** Those created at this time or later. */
  readonly since?: Date
}

/** Deliveries of the organization, the newest first. */
export const listDeliveries = Effect.fn("listDeliveries")(
  function*(organizationId: OrganizationId, query: DeliveryQuery) {
    return yield* (yield* DeliveryStore).list(organizationId, query)
  }
)
