/** Sign-ins through the trusted proxy. A client without cookies signs in again with every request. */
import { monotonicMs } from "@sov/core/common"
import { describeBrowser, type SessionCache } from "@sov/core/people"
import { Effect } from "effect"
import { SlidingLogs } from "../../middleware/SlidingLog.ts"
import { matchesProxyUser } from "./matchesProxyUser.ts"

/** Maximum number of sessions that one person may start per hour on one server. */
const maxSignIns = 30
/** Maximum number of people and browsers kept in memory. */
const maxKept = 10_000

/**
 * Remembers the last session token of each person and browser, so that a person who returns without the cookie gets the
 * same session again. Nobody else can use the token: such a session is valid only in requests in which the proxy names
 * this person.
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
      return found !== null && matchesProxyUser(found.person, user) ? token : null
    }),
    /** Stores a new session and counts it. */
    keep: (user: string, userAgent: string, token: string): Effect.Effect<void> =>
      Effect.map(monotonicMs, (at) => {
        signIns.of(user.toLowerCase()).take(at)
        if (tokens.size >= maxKept) tokens.clear()
        tokens.set(keyOf(user, userAgent), token)
      }),
    /** Whether the person may start another session. */
    mayBegin: (user: string): Effect.Effect<boolean> =>
      Effect.map(monotonicMs, (at) => signIns.of(user.toLowerCase()).remaining(at) > 0)
  }
}

export type ProxySignIns = ReturnType<typeof makeProxySignIns>
