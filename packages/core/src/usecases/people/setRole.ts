import { Effect } from "effect"
import type { OrganizationId, PersonId } from "../../domain/ids.ts"
import type { Role } from "../../domain/people/Role.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { recordActs } from "../audit/recordActs.ts"
import { ChangedMeanwhile, NotFound } from "../errors.ts"
import { endWhatOwnerOpened } from "./endWhatOwnerOpened.ts"

/**
 * Changes a member's role. Every server applies it from the next request on. Ends the links and sessions that a former
 * owner may know (`endWhatOwnerOpened`). Returns the former role. Fails with NotFound, with LastOwner if no owner would
 * be left, or with ChangedMeanwhile if `isExpected` rejects the former role.
 */
export const setRole = Effect.fn("setRole")(function*(
  organizationId: OrganizationId,
  id: PersonId,
  role: Role,
  isExpected: (before: Role) => boolean = () => true
) {
  const people = yield* PersonStore
  return yield* changeAndNotify(Effect.gen(function*() {
    yield* people.lock(id)
    const before = yield* people.setRole(organizationId, id, role)
    const member = yield* people.findMember(organizationId, id)
    if (before === null || member === null) return yield* new NotFound({ what: "member", id })
    if (!isExpected(before)) return yield* new ChangedMeanwhile()
    if (before === role) return before
    if (before === "owner") yield* endWhatOwnerOpened(id)
    yield* recordActs(organizationId, [{
      action: "member.role_changed",
      subjectId: id,
      detail: { name: member.person.name, role, before }
    }])
    return before
  }))
})
