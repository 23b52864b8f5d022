import { Effect, Schema } from "effect"
import { EndpointId, type OrganizationId } from "../../domain/ids.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { NotFound } from "../errors.ts"

/** One webhook endpoint by its id. Fails with NotFound. */
export const findEndpoint = Effect.fn("findEndpoint")(function*(organizationId: OrganizationId, id: string) {
  const found = Schema.is(EndpointId)(id) ? yield* (yield* EndpointStore).find(organizationId, id) : null
  return found ?? (yield* new NotFound({ what: "webhook", id }))
})
