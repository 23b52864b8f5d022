import { Effect } from "effect"
import { hashRandomToken, isWellFormedRandomToken } from "../../domain/randomToken.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { recordEnd } from "./endSession.ts"

/**
 * Ends the session with this token. Every server refuses it from the next request on. Does nothing for an unknown
 * token.
 */
export const signOut = Effect.fn("signOut")(function*(token: string) {
  if (!isWellFormedRandomToken(token)) return
  const sessions = yield* SessionStore
  const hash = hashRandomToken(token)
  // Without this check, anybody could empty the caches of all servers
  if ((yield* sessions.findSession(hash)) === null) return
  yield* changeAndNotify(Effect.gen(function*() {
    const ended = yield* sessions.removeByHash(hash)
    if (ended !== null) yield* recordEnd(ended)
  }))
})
