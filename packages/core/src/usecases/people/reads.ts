import { Effect } from "effect"
import type { OrganizationId, PersonId } from "../../domain/ids.ts"
import { consoleIdentity } from "../../domain/people/Person.ts"
import { isSessionLive } from "../../domain/people/Session.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { now } from "../now.ts"

/**
 * Whether this is the person whom `openDashboard` signs in: the operator, who can open the database. Only the operator
 * manages the entire installation (workers, costs of platforms, new organizations), whatever other people own.
 */
export const isOperator = Effect.fn("isOperator")(function*(personId: PersonId) {
  return (yield* (yield* PersonStore).findByIdentity(consoleIdentity))?.id === personId
})

/** The identities by which the person signs in, oldest first. */
export const listIdentities = Effect.fn("listIdentities")(function*(personId: PersonId) {
  return yield* (yield* PersonStore).listIdentities(personId)
})

/** The members of the organization, oldest first. A member who has never signed in is only invited. */
export const listMembers = Effect.fn("listMembers")(function*(organizationId: OrganizationId) {
  return yield* (yield* PersonStore).listMembers(organizationId)
})

/** Lists a person's present memberships, with the role in each organization. */
export const listMemberships = Effect.fn("listMemberships")(function*(personId: PersonId) {
  return yield* (yield* PersonStore).listMemberships(personId)
})

/** The live sessions of a person, last used first. */
export const listSessions = Effect.fn("listSessions")(function*(personId: PersonId) {
  const at = yield* now
  return (yield* (yield* SessionStore).listSessions(personId)).filter((session) => isSessionLive(session, at))
})
