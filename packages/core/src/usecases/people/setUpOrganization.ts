import { Effect } from "effect"
import type { PlanId } from "../../domain/organizations/Plan.ts"
import type { Person } from "../../domain/people/Person.ts"
import type { TrackingFile } from "../../domain/tracking/TrackedSet.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { recordActs } from "../audit/recordActs.ts"
import { now } from "../now.ts"
import { initialize } from "../organizations/initialize.ts"

/**
 * Sets up an organization with brand, competitors and keywords, and makes the requesting person its owner, all or
 * nothing. Fails with OrganizationExists if the name is taken.
 */
export const setUpOrganization = Effect.fn("setUpOrganization")(
  function*(
    person: Pick<Person, "id" | "name">,
    input: { readonly name: string; readonly plan: PlanId; readonly tracking: TrackingFile }
  ) {
    return yield* changeAndNotify(Effect.gen(function*() {
      const { organization } = yield* initialize(input)
      yield* (yield* PersonStore).addMember(organization.id, person.id, "owner", yield* now)
      yield* recordActs(organization.id, [
        { action: "member.invited", subjectId: person.id, detail: { name: person.name, role: "owner" } }
      ])
      return organization
    }))
  }
)
