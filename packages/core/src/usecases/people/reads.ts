import { Effect } from "effect"
import type { OrganizationId, PersonId } from "../../domain/ids.ts"
import { consoleIdentity } from "../../domain/people/Person.ts"
import { isSessionLive } from "../../domain/people/Session.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { now } from "../now.ts"

/**
 * Whether this is the person that `openDashboard` signs in: whoever can open the database. What belongs to no single
 * organization (workers, what platforms cost, making organizations) is theirs alone, whatever anybody else owns.
 */
export const isOperator = Effect.fn("isOperator")(function*(personId: PersonId) {
  return (yield* (yield* PersonStore).findByIdentity(consoleIdentity))?.id === personId
})

/** The identities by which the person signs in, oldest first. */
export const listIdentities = Effect.fn("listIdentities")(function*(personId: PersonId) {
  return yield* (yield* PersonStore).listIdentities(personId)
})

/** The members of the organization, oldest first; one whose person has never signed in is invited only. */
export const listMembers = Effect.fn("listMembers")(function*(organizationId: OrganizationId) {
  return yield* (yield* PersonStore).listMembers(organizationId)
})

/** Lists the organizations that a person is a member of now, with their role in each. */
export const listMemberships = Effect.fn("listMemberships")(function*(personId: PersonId) {
  return yield* (yield* PersonStore).listMemberships(personId)
})

/** The sessions of a person that have not ended, the one used last first. */
export const listSessions = Effect.fn("listSessions")(function*(personId: PersonId) {
  const at = yield* now
  return (yield* (yield* SessionStore).listSessions(personId)).filter((session) => isSessionLive(session, at))
})
