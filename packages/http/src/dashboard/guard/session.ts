/** Finds the signed-in person. */
import { isWellFormedRandomToken, monotonicMs } from "@sov/core/common"
import { signOut } from "@sov/core/people"
import { Cause, Effect, Exit } from "effect"
import type { Guard } from "./Guard.ts"
import { matchesProxyUser } from "./matchesProxyUser.ts"
import { PageRefused } from "./PageRefused.ts"
import type { Visitor } from "./PageRequest.ts"

/** Whether the token was unknown, or the client disconnected before the result. */
const hadNoSession = (exit: Exit.Exit<Visitor | null, unknown>): boolean =>
  Exit.isSuccess(exit) ? exit.value === null : Cause.hasInterrupts(exit.cause)

/**
 * The person whose session token the browser sent; null for a missing, unknown or ended session. A network that has
 * sent too many unknown tokens is refused for the rest of the minute, except for sessions that this server knows.
 */
export const findVisitor = Effect.fnUntraced(function*(guard: Guard, network: string, presented: string | undefined) {
  if (presented === undefined || !isWellFormedRandomToken(presented)) return null
  const { sessions, throttle } = guard
  let begun = false
  let refused = false
  const mayLookUp = Effect.map(monotonicMs, (at) => {
    begun = throttle.begin(network, at)
    refused = !begun
    return begun
  })
  const found: Visitor | null = yield* sessions.authenticate(presented, mayLookUp).pipe(
    Effect.catchTag("SessionRefused", () => Effect.succeed(null)),
    Effect.onExit((exit) => Effect.map(monotonicMs, (at) => begun && throttle.end(network, at, hadNoSession(exit))))
  )
  return refused ? yield* new PageRefused({ status: 429, words: null }) : found
})

/**
 * Whether a session is valid in a request in which the proxy names `proxyUser`; `ended` = the session belongs to
 * another person.
 */
export const checkProxySession = ({ person, session }: Visitor, proxyUser: string | null): "yes" | "no" | "ended" => {
  if (proxyUser === null) return session.method === "proxy" ? "no" : "yes"
  return matchesProxyUser(person, proxyUser) ? "yes" : "ended"
}

/**
 * The signed-in person of a request in which the proxy names `proxyUser`; null = nobody. The proxy's name takes
 * precedence: a session of another person ends, because this browser now belongs to the named person. A session that
 * the proxy started is not valid in requests without a name, because they may have bypassed the proxy.
 */
export const confirmVisitor = Effect.fnUntraced(
  function*(found: Visitor | null, proxyUser: string | null, presented: string | undefined) {
    if (found === null || presented === undefined) return null
    const holds = checkProxySession(found, proxyUser)
    if (holds === "ended") yield* signOut(presented)
    return holds === "yes" ? found : null
  }
)
