import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { NotFound } from "../errors.ts"
import { now } from "../now.ts"

/**
 * Disables an endpoint; its pending deliveries wait. One that is disabled already keeps its time and reason. Returns it as
 * it now is. Fails with NotFound.
 */
export const disableEndpoint = Effect.fn("disableEndpoint")(function*(organizationId: OrganizationId, id: EndpointId) {
  const changed = yield* (yield* EndpointStore).disable(organizationId, id, yield* now)
  return changed ?? (yield* new NotFound({ what: "webhook", id }))
})
