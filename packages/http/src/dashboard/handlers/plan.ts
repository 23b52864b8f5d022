import { plans, readQuota } from "@sov/core/organizations"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { showPage } from "../guard/Reply.ts"
import { planPage } from "../pages/plan.ts"

/** GET /o/{slug}/settings/plan */
export const showPlan = Effect.fnUntraced(function*({ frame, organization }: OrganizationRequest) {
  return showPage(planPage(frame, { plan: plans[organization.plan], quota: yield* readQuota(organization.id) }))
})
