import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { NotReady } from "../errors.ts"

/** The newest version of what the organization tracks. Fails with NotReady before a brand is set. */
export const readTrackedSet = Effect.fn("readTrackedSet")(function*(organizationId: OrganizationId) {
  const set = yield* (yield* TrackedSetStore).current(organizationId)
  return set ?? (yield* new NotReady({ missing: "brand" }))
})
