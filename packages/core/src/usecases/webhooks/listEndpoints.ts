import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"

/** All webhook endpoints of the organization, disabled ones too, the oldest first. */
export const listEndpoints = Effect.fn("listEndpoints")(function*(organizationId: OrganizationId) {
  return yield* (yield* EndpointStore).list(organizationId)
})
