/** Who is signed in. */
import { isWellFormedSignInToken, monotonicMs } from "@sov/core"
import { Effect } from "effect"
import type { Guard } from "./Guard.ts"
import { PageRefused } from "./PageRefused.ts"
import type { Visitor } from "./PageRequest.ts"

/**
 * The person to whom the presented token belongs; null for none, an unknown one and one that has ended. A network that has
 * presented too many unknown tokens is refused for the rest of the minute; sessions that are known here go on.
 */
export const findVisitor = Effect.fnUntraced(function*(guard: Guard, network: string, presented: string | undefined) {
  if (presented === undefined || !isWellFormedSignInToken(presented)) return null
  const { sessions, throttle } = guard
  let lookedUp = false
  let refused = false
  const mayLookUp = Effect.map(monotonicMs, (at) => {
    lookedUp = throttle.mayTry(network, at)
    refused = !lookedUp
    return lookedUp
  })
  const found: Visitor | null = yield* sessions.authenticate(presented, mayLookUp).pipe(
    Effect.catchTag("SessionRefused", () => Effect.succeed(null))
  )
  if (found === null && lookedUp) throttle.countWrong(network, yield* monotonicMs)
  return refused ? yield* new PageRefused({ status: 429, words: null }) : found
})

/**
 * Whether the session holds in this request. One that a proxy began holds while the proxy names the same person: somebody
 * else may have signed in there with this browser, or the request may have come past it.
 */
export const isVouchedFor = ({ person, session }: Visitor, proxyUser: string | null): boolean =>
  session.method !== "proxy" || (proxyUser !== null && proxyUser.toLowerCase() === person.email?.toLowerCase())
