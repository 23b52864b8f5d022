import { Effect, Schema } from "effect"
import { DeliveryId, EndpointId, type OrganizationId } from "../../domain/ids.ts"
import type { DeliveryState } from "../../domain/webhooks/Delivery.ts"
import { secretsMark } from "../../domain/webhooks/Webhook.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { NotFound } from "../errors.ts"

/** One webhook endpoint by its id. Fails with NotFound. */
export const findEndpoint = Effect.fn("findEndpoint")(function*(organizationId: OrganizationId, id: string) {
  const found = Schema.is(EndpointId)(id) ? yield* (yield* EndpointStore).find(organizationId, id) : null
  return found ?? (yield* new NotFound({ what: "webhook", id }))
})

/** Filters and maximum number of deliveries. */
export interface DeliveryQuery {
  readonly limit: number
  readonly endpointId?: EndpointId
  readonly state?: DeliveryState
  /** Only deliveries created at this time or later. */
  readonly since?: Date
}

/** Deliveries of the organization, newest first. */
export const listDeliveries = Effect.fn("listDeliveries")(
  function*(organizationId: OrganizationId, query: DeliveryQuery) {
    return yield* (yield* DeliveryStore).list(organizationId, query)
  }
)

/** All webhook endpoints of the organization, including disabled ones, oldest first. */
export const listEndpoints = Effect.fn("listEndpoints")(function*(organizationId: OrganizationId) {
  return yield* (yield* EndpointStore).list(organizationId)
})

/** One delivery with its body and its attempts, oldest first. Fails with NotFound. */
export const readDelivery = Effect.fn("readDelivery")(function*(organizationId: OrganizationId, id: string) {
  const found = Schema.is(DeliveryId)(id) ? yield* (yield* DeliveryStore).find(organizationId, id) : null
  return found ?? (yield* new NotFound({ what: "delivery", id }))
})

/** A mark that identifies the current secrets of an endpoint, see `secretsMark`. Fails with NotFound. */
export const readSecretsMark = Effect.fn("readSecretsMark")(function*(organizationId: OrganizationId, id: EndpointId) {
  const secrets = yield* (yield* EndpointStore).secrets(organizationId, id)
  return secrets === null ? yield* new NotFound({ what: "webhook", id }) : secretsMark(secrets)
})
