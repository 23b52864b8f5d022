import { Effect } from "effect"
import { hashRandomToken, isWellFormedRandomToken } from "../../domain/randomToken.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { LinkRefused } from "../errors.ts"
import { now } from "../now.ts"
import { type Browser, runSignIn, startSession } from "./startSession.ts"

/**
 * Uses a link and starts a session; if several attempts are concurrent, one succeeds. `token` belongs to the session
 * and is not stored. Fails with LinkRefused, which does not contain the reason.
 */
export const signInWithLink = Effect.fn("signInWithLink")(function*(token: string, browser: Browser) {
  if (!isWellFormedRandomToken(token)) return yield* new LinkRefused()
  const [sessions, people, at] = yield* Effect.all([SessionStore, PersonStore, now])
  return yield* runSignIn(
    browser,
    Effect.gen(function*() {
      const hash = hashRandomToken(token)
      const found = yield* sessions.findLink(hash)
      // Locks the person before the link, in the same order as all code that removes links of a person
      const person = found === null ? null : yield* people.lock(found.personId)
      const link = person === null ? null : yield* sessions.consumeLink(hash, at)
      if (link === null || person === null) return yield* new LinkRefused()
      return yield* startSession(person, { method: link.purpose, madeBy: link.madeBy, knownTo: link.knownTo }, browser)
    })
  )
})
