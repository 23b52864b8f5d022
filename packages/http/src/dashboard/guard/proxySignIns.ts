/** Sign-ins through the trusted proxy, which can happen with every visit: a program behind it may keep no cookies. */
import { monotonicMs } from "@sov/core/common"
import { describeBrowser, type SessionCache } from "@sov/core/people"
import { Effect } from "effect"
import { SlidingLogs } from "../../middleware/SlidingLog.ts"
import { isNamed } from "./isNamed.ts"

/** Sessions an hour that one person may begin on one server. */
const maxSignIns = 30
/** People, and browsers of theirs, that are kept in memory. */
const maxKept = 10_000

/**
 * Keeps the token of the last session that each person began with such a browser, in memory: who comes back without it
 * gets it again instead of another session. It signs nobody else in, for such a session holds only in requests where
 * the proxy names its person.
 */
export const makeProxySignIns = (sessions: SessionCache) => {
  const tokens = new Map<string, string>()
  const signIns = new SlidingLogs(maxSignIns, 3_600_000, maxKept)
  const keyOf = (user: string, userAgent: string): string => `${user.toLowerCase()}\n${describeBrowser(userAgent)}`
  return {
    /** The token of a session that still holds; null when there is none. */
    find: Effect.fnUntraced(function*(user: string, userAgent: string) {
      const token = tokens.get(keyOf(user, userAgent))
      if (token === undefined) return null
      const found = yield* Effect.catchTag(sessions.authenticate(token), "SessionRefused", () => Effect.succeed(null))
      return found !== null && isNamed(found.person, user) ? token : null
    }),
    /** Keeps, and counts, a session that has begun. */
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
