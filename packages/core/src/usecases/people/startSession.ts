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
import { newSignInToken } from "./makeLink.ts"
import { recordOwnActs } from "./recordOwnActs.ts"

/** The browser that signs in. */
export interface Browser {
  /** The token of the session that it presents, null without one. That session ends, whoever it belongs to. */
  readonly presented: string | null
  /** Its User-Agent header. */
  readonly userAgent: string
}

/** How somebody signs in. */
export type SignIn = Pick<Session, "method" | "madeBy" | "knownTo">

/**
 * Runs a sign-in in a transaction. A new session is in no server's cache, so servers are told, and waited for, only
 * where it ends the one that the browser presented: twenty people who sign in at once do not wait for one another.
 */
export const runSignIn = Effect.fnUntraced(function*<A, E, R>({ presented }: Browser, signIn: Effect.Effect<A, E, R>) {
  const [sessions, { run }] = yield* Effect.all([SessionStore, Transaction])
  const endsOne = presented !== null && isWellFormedRandomToken(presented) &&
    (yield* sessions.findSession(hashRandomToken(presented))) !== null
  return yield* (endsOne ? changeAndNotify(signIn) : run(signIn))
})

/** What has ended stays for a day: links are counted by the hour. */
const keepEndedMs = 86_400_000

/**
 * Starts a session of its own for the sign-in, so that nobody can sign a person in to a session that they know, and
 * ends the one presented. To be called in a transaction that has locked the person. `token` is stored nowhere.
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
  const token = yield* newSignInToken
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
