import { Effect } from "effect"
import type { PersonId } from "../../domain/ids.ts"
import type { Organization } from "../../domain/organizations/Organization.ts"
import { PlanId, plans } from "../../domain/organizations/Plan.ts"
import type { Person } from "../../domain/people/Person.ts"
import type { TrackingFile } from "../../domain/tracking/TrackedSet.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { recordActs } from "../audit/recordActs.ts"
import { Rejected } from "../errors.ts"
import { now } from "../now.ts"
import { setFirstLimits } from "../organizations/editOrganization.ts"
import { initialize } from "../organizations/initialize.ts"
import { monthlyLimit } from "../organizations/reads.ts"
import { setScanQuota } from "../organizations/setScanQuota.ts"

type Allowance = Pick<Organization, "plan" | "scanQuota" | "requestRate" | "monthlyBudgetUsd">

/** The lowest of the limits; null = none of the organizations has one. */
const lowest = (limits: ReadonlyArray<number | null>): number | null => {
  const own = limits.filter((limit) => limit !== null)
  return own.length === 0 ? null : Math.min(...own)
}

/**
 * What a new organization of an owner gets: the lowest plan and the lowest limits of those that the person owns. Nobody
 * raises a limit by creating organizations. Locks the person. Fails with Rejected for a person who owns no
 * organization that may scan, or who owns `maxOwned` already.
 */
const findAllowance = Effect.fnUntraced(function*(personId: PersonId, maxOwned: number) {
  const people = yield* PersonStore
  yield* people.lock(personId)
  const owned = (yield* people.listMemberships(personId)).flatMap(({ organization, role }) =>
    role === "owner" ? [organization] : []
  )
  const active = owned.filter(({ suspendedAt }) => suspendedAt === null)
  if (active.length === 0 || owned.length >= maxOwned) {
    return yield* new Rejected({
      field: "name",
      message: active.length === 0
        ? "Only an owner of an organization can create another one."
        : `You own ${owned.length} organizations, and the operator allows ${maxOwned}.`
    })
  }
  const plan = PlanId.literals.find((plan) => active.some((one) => one.plan === plan))!
  // Without a limit of its own an organization has that of its plan, which may be the lowest
  const scans = Math.min(...active.map(monthlyLimit))
  const found: Allowance = {
    plan,
    scanQuota: scans === plans[plan].monthlyScans ? null : scans,
    requestRate: lowest(active.map(({ requestRate }) => requestRate)),
    monthlyBudgetUsd: lowest(active.map(({ monthlyBudgetUsd }) => monthlyBudgetUsd))
  }
  return found
})

const ofOperator: Allowance = { plan: "pro", scanQuota: null, requestRate: null, monthlyBudgetUsd: null }

/**
 * Sets up an organization with brand, competitors and keywords, and makes the requesting person its owner, all or
 * nothing. `maxOwned` is the number of organizations that the person may own; null = no limit, for the operator. Fails
 * with OrganizationExists if the name is taken, and with Rejected if the person may not create another organization.
 */
export const setUpOrganization = Effect.fn("setUpOrganization")(
  function*(
    person: Pick<Person, "id" | "name">,
    input: { readonly name: string; readonly tracking: TrackingFile },
    maxOwned: number | null
  ) {
    return yield* changeAndNotify(Effect.gen(function*() {
      const { plan, scanQuota, ...limits } = maxOwned === null ? ofOperator : yield* findAllowance(person.id, maxOwned)
      const { organization } = yield* initialize({ ...input, plan })
      if (scanQuota !== null) yield* setScanQuota(organization.id, scanQuota)
      yield* setFirstLimits(organization.id, limits)
      yield* (yield* PersonStore).addMember(organization.id, person.id, "owner", yield* now)
      yield* recordActs(organization.id, [
        { action: "member.invited", subjectId: person.id, detail: { name: person.name, role: "owner" } }
      ])
      return organization
    })).pipe(Effect.catchTag("NotFound", Effect.die))
  }
)
