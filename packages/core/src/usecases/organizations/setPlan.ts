import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { PlanId } from "../../domain/organizations/Plan.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { recordActs } from "../audit/recordActs.ts"

/** Changes the organization's plan. Every server applies it from the next request on. */
export const setPlan = Effect.fn("setPlan")(function*(organizationId: OrganizationId, plan: PlanId) {
  const store = yield* OrganizationStore
  yield* changeAndNotify(Effect.gen(function*() {
    yield* store.lock(organizationId)
    const before = (yield* store.find(organizationId))?.plan
    yield* store.setPlan(organizationId, plan)
    if (before === undefined || before === plan) return
    yield* recordActs(organizationId, [
      { action: "plan.changed", subjectId: organizationId, detail: { plan, before } }
    ])
  }))
})
