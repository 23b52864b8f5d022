import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { NotFound } from "../errors.ts"

/** Removes an endpoint with the log of its deliveries. Fails with NotFound. */
export const removeEndpoint = Effect.fn("removeEndpoint")(function*(organizationId: OrganizationId, id: EndpointId) {
  if (!(yield* (yield* EndpointStore).remove(organizationId, id))) return yield* new NotFound({ what: "webhook", id })
})
