import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { PlanId } from "../../domain/organizations/Plan.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"

/** Changes the organization's plan: every server applies it from the next request on. */
export const setPlan = Effect.fn("setPlan")(function*(organizationId: OrganizationId, plan: PlanId) {
  yield* changeAndNotify((yield* OrganizationStore).setPlan(organizationId, plan))
})
