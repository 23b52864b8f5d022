import { Effect } from "effect"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { NotFound } from "../errors.ts"

/**
 * Makes the staged secret of an endpoint the only one that signs; where none is staged nothing changes. Returns the
 * endpoint as it now is. Fails with NotFound.
 */
export const promoteSecret = Effect.fn("promoteSecret")(function*(organizationId: OrganizationId, id: EndpointId) {
  const promoted = yield* (yield* EndpointStore).promote(organizationId, id)
  return promoted ?? (yield* new NotFound({ what: "webhook", id }))
})
