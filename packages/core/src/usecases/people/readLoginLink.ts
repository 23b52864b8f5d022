import { Effect } from "effect"
import { isLinkUsable } from "../../domain/people/LoginLink.ts"
import { hashRandomToken, isWellFormedRandomToken } from "../../domain/randomToken.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { LinkRefused } from "../errors.ts"
import { now } from "../now.ts"

/**
 * The person whom a link signs in, their memberships, and the link's expiry. The link stays unused, because mail
 * scanners fetch its page. Fails with LinkRefused, which does not contain the reason.
 */
export const readLoginLink = Effect.fn("readLoginLink")(function*(token: string) {
  if (!isWellFormedRandomToken(token)) return yield* new LinkRefused()
  const link = yield* (yield* SessionStore).findLink(hashRandomToken(token))
  if (link === null || !isLinkUsable(link, yield* now)) return yield* new LinkRefused()
  const people = yield* PersonStore
  const person = yield* people.find(link.personId)
  if (person === null || person.disabledAt !== null) return yield* new LinkRefused()
  return {
    person,
    memberships: yield* people.listMemberships(person.id),
    purpose: link.purpose,
    expiresAt: link.expiresAt
  }
})
