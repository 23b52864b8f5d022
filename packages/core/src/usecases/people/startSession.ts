import { Duration, Effect } from "effect"
import { SessionId } from "../../domain/ids.ts"
import { describeBrowser } from "../../domain/people/browser.ts"
import type { Person } from "../../domain/people/Person.ts"
import { maxSessionIdle, type Session, sessionLifetime } from "../../domain/people/Session.ts"
import { hashRandomToken, isWellFormedRandomToken } from "../../domain/randomToken.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { type FoundSession, SessionStore } from "../../ports/SessionStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { newSecretToken } from "./makeLink.ts"
import { recordOwnActs } from "./recordOwnActs.ts"

/** The browser that signs in. */
export interface Browser {
  /** The token of the browser's present session, which ends, even if it is another person's; null without a session. */
  readonly presented: string | null
  /** The browser's User-Agent header. */
  readonly userAgent: string
}

/** How a session began. */
export type SignIn = Pick<Session, "method" | "madeBy" | "knownTo">

/**
 * Runs a sign-in in a transaction. No server has cached a new session, so servers are notified and awaited only if the
 * sign-in ends the session that the browser presented. Concurrent sign-ins therefore do not wait for one another.
 */
export const runSignIn = Effect.fnUntraced(function*<A, E, R>({ presented }: Browser, signIn: Effect.Effect<A, E, R>) {
  const [sessions, { run }] = yield* Effect.all([SessionStore, Transaction])
  const endsOne = presented !== null && isWellFormedRandomToken(presented) &&
    (yield* sessions.findSession(hashRandomToken(presented))) !== null
  return yield* (endsOne ? changeAndNotify(signIn) : run(signIn))
})

/** Ended sessions and links are kept for a day, because links are counted by the hour */
const keepEndedMs = 86_400_000

/**
 * Starts a new session for every sign-in, so that nobody can sign a person in to a session whose token they know, and
 * ends the presented session. The caller has locked the person in its transaction. `token` is not stored.
 */
export const startSession = Effect.fnUntraced(function*(person: Person, signIn: SignIn, browser: Browser) {
  const [sessions, people, at] = yield* Effect.all([SessionStore, PersonStore, now])
  const time = at.getTime()
  yield* sessions.prune({
    endedBefore: new Date(time - keepEndedMs),
    seenBefore: new Date(time - Duration.toMillis(maxSessionIdle))
  })
  if (browser.presented !== null && isWellFormedRandomToken(browser.presented)) {
    yield* sessions.removeByHash(hashRandomToken(browser.presented))
  }
  const token = yield* newSecretToken
  const session: Session = {
    id: yield* newId(SessionId),
    personId: person.id,
    ...signIn,
    agent: describeBrowser(browser.userAgent),
    createdAt: at,
    seenAt: at,
    expiresAt: new Date(time + Duration.toMillis(sessionLifetime))
  }
  yield* sessions.insertSession(session, hashRandomToken(token))
  yield* people.recordSignIn(person.id, at)
  yield* recordOwnActs(person.id, () => ({
    action: "session.started",
    subjectId: session.id,
    detail: { method: session.method, agent: session.agent }
  }))
  const memberships = yield* people.listMemberships(person.id)
  const signedIn: FoundSession = { session, person: { ...person, signedInAt: at }, memberships }
  return { token, ...signedIn }
})
