import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { SealStore } from "../../ports/SealStore.ts"

/** The newest seal of the organization's chain; null before the first. */
export const readChainHead = Effect.fn("readChainHead")(function*(organizationId: OrganizationId) {
  return yield* (yield* SealStore).head(organizationId)
})
