import { Effect, Schema } from "effect"
import { DeliveryId, type OrganizationId } from "../../domain/ids.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import { NotFound } from "../errors.ts"

/** One delivery with its body and its attempts, the first first. Fails with NotFound. */
export const readDelivery = Effect.fn("readDelivery")(function*(organizationId: OrganizationId, id: string) {
  const found = Schema.is(DeliveryId)(id) ? yield* (yield* DeliveryStore).find(organizationId, id) : null
  return found ?? (yield* new NotFound({ what: "delivery", id }))
})
