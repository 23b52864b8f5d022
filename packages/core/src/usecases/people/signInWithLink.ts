import { Effect } from "effect"
import { hashSignInToken, isWellFormedSignInToken } from "../../domain/people/signInToken.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { LinkRefused } from "../errors.ts"
import { now } from "../now.ts"
import { type Browser, startSession } from "./startSession.ts"

/**
 * Uses a link up and starts a session; of all who try at once, one succeeds. `token` is the session's, stored nowhere.
 * Fails with LinkRefused, which does not contain the reason.
 */
export const signInWithLink = Effect.fn("signInWithLink")(function*(token: string, browser: Browser) {
  if (!isWellFormedSignInToken(token)) return yield* new LinkRefused()
  const [sessions, people, at] = yield* Effect.all([SessionStore, PersonStore, now])
  return yield* changeAndNotify(Effect.gen(function*() {
    const link = yield* sessions.consumeLink(hashSignInToken(token), at)
    const person = link === null ? null : yield* people.find(link.personId)
    if (link === null || person === null) return yield* new LinkRefused()
    return yield* startSession(person, { method: link.purpose, madeBy: link.madeBy }, browser)
  }))
})
