import { Effect } from "effect"
import type { OrganizationId, PersonId } from "../../domain/ids.ts"
import type { Role } from "../../domain/people/Role.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { recordActs } from "../audit/recordActs.ts"
import { ChangedMeanwhile, NotFound } from "../errors.ts"
import { endWhatOwnerOpened } from "./endWhatOwnerOpened.ts"

/**
 * Removes a member. Every server refuses them from the next request on. Ends the links and sessions that a former owner
 * may know (`endWhatOwnerOpened`), and all sessions and links of a person who has no other membership. The person
 * stays, because the audit log names them. Returns the member. Fails with NotFound, with LastOwner if no owner would be
 * left, or with ChangedMeanwhile if `isExpected` rejects their role.
 */
export const removeMember = Effect.fn("removeMember")(function*(
  organizationId: OrganizationId,
  id: PersonId,
  isExpected: (role: Role) => boolean = () => true
) {
  const [people, sessions] = yield* Effect.all([PersonStore, SessionStore])
  return yield* changeAndNotify(Effect.gen(function*() {
    yield* people.lock(id)
    const member = yield* people.findMember(organizationId, id)
    const role = yield* people.removeMember(organizationId, id)
    if (member === null || role === null) return yield* new NotFound({ what: "member", id })
    if (!isExpected(role)) return yield* new ChangedMeanwhile()
    if (role === "owner") yield* endWhatOwnerOpened(id)
    if ((yield* people.listMemberships(id)).length === 0) {
      yield* sessions.removeLinks(id)
      yield* sessions.removeSessions(id)
    }
    yield* recordActs(organizationId, [{
      action: "member.removed",
      subjectId: id,
      detail: { name: member.person.name, role }
    }])
    return member
  }))
})
