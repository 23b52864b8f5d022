import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { NotFound } from "../errors.ts"

/**
 * Enables an endpoint and forgets its failures; its pending deliveries are sent. Returns it as it now is. Fails with
 * NotFound.
 */
export const enableEndpoint = Effect.fn("enableEndpoint")(function*(organizationId: OrganizationId, id: EndpointId) {
  const changed = yield* (yield* EndpointStore).enable(organizationId, id)
  return changed ?? (yield* new NotFound({ what: "webhook", id }))
})
