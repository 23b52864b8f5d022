import { Effect } from "effect"
import { isSessionLive } from "../../domain/people/Session.ts"
import { hashRandomToken, isWellFormedRandomToken } from "../../domain/randomToken.ts"
import { type FoundSession, SessionStore } from "../../ports/SessionStore.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { makeAccessCache } from "../access/accessCache.ts"
import { SessionRefused } from "../errors.ts"
import { now } from "../now.ts"

/** Cache of sessions in one server process. */
export interface SessionCache {
  /**
   * The person who is signed in with this token, with their memberships. Neither a cached session nor a malformed token
   * costs a query. For a session that has not been live here before, `mayLookUp` runs before the query; if it returns
   * false, the session is refused. Fails with SessionRefused, which does not contain the reason.
   */
  readonly authenticate: (
    token: string,
    mayLookUp?: Effect.Effect<boolean>
  ) => Effect.Effect<FoundSession, SessionRefused | StoreError>
}

/**
 * Creates the session cache of a server process, which lasts until the scope closes (`makeAccessCache`). An ended
 * session, a changed role and a removed member take effect with the next request.
 */
export const makeSessionCache = Effect.fn("makeSessionCache")(function*() {
  const store = yield* SessionStore
  const find = yield* makeAccessCache<FoundSession, StoreError>({
    find: store.findSession,
    isUsable: ({ session }, at) => isSessionLive(session, at),
    idOf: ({ session }) => session.id,
    recordUse: ({ session }, at) => store.recordUse(session.id, at)
  })
  const cache: SessionCache = {
    authenticate: Effect.fnUntraced(function*(token, mayLookUp = Effect.succeed(true)) {
      if (!isWellFormedRandomToken(token)) return yield* new SessionRefused()
      const found = yield* find(hashRandomToken(token), mayLookUp)
      if (found === null || !isSessionLive(found.session, yield* now)) return yield* new SessionRefused()
      return found
    })
  }
  return cache
})
