/** Sign-ins through the trusted proxy. A client without cookies signs in with every request. */
import { monotonicMs } from "@sov/core/common"
import { describeBrowser, type SessionCache } from "@sov/core/people"
import { Effect } from "effect"
import { SlidingLogs } from "../../middleware/SlidingLog.ts"
import { isNamed } from "./isNamed.ts"

/** Sessions per hour that one person may begin on one server. */
const maxSignIns = 30
/** Maximum number of people and browsers kept in memory. */
const maxKept = 10_000

/**
 * Keeps in memory the token of the last session of each person and browser. A person who returns without the cookie
 * gets the same session again. The token signs nobody else in, because such a session is valid only in requests in
 * which the proxy names its person.
 */
export const makeProxySignIns = (sessions: SessionCache) => {
  const tokens = new Map<string, string>()
  const signIns = new SlidingLogs(maxSignIns, 3_600_000, maxKept)
  const keyOf = (user: string, userAgent: string): string => `${user.toLowerCase()}\n${describeBrowser(userAgent)}`
  return {
    /** The token of a valid session; null without one. */
    find: Effect.fnUntraced(function*(user: string, userAgent: string) {
      const token = tokens.get(keyOf(user, userAgent))
      if (token === undefined) return null
      const found = yield* Effect.catchTag(sessions.authenticate(token), "SessionRefused", () => Effect.succeed(null))
      return found !== null && isNamed(found.person, user) ? token : null
    }),
    /** Stores and counts a new session. */
    keep: (user: string, userAgent: string, token: string): Effect.Effect<void> =>
      Effect.map(monotonicMs, (at) => {
        signIns.of(user.toLowerCase()).take(at)
        if (tokens.size >= maxKept) tokens.clear()
        tokens.set(keyOf(user, userAgent), token)
      }),
    /** Whether the person may begin another session. */
    mayBegin: (user: string): Effect.Effect<boolean> =>
      Effect.map(monotonicMs, (at) => signIns.of(user.toLowerCase()).remaining(at) > 0)
  }
}

export type ProxySignIns = ReturnType<typeof makeProxySignIns>
