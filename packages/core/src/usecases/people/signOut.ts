import { Effect } from "effect"
import { hashSignInToken, isWellFormedSignInToken } from "../../domain/people/signInToken.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { recordEnd } from "./endSession.ts"

/** Ends the session with this token: every server refuses it from the next request on. Nothing happens without one. */
export const signOut = Effect.fn("signOut")(function*(token: string) {
  if (!isWellFormedSignInToken(token)) return
  const sessions = yield* SessionStore
  yield* changeAndNotify(Effect.gen(function*() {
    const ended = yield* sessions.removeByHash(hashSignInToken(token))
    if (ended !== null) yield* recordEnd(ended)
  }))
})
