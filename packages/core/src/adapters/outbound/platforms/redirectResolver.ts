/**
 * Resolves Google's redirects: sends a GET and reads only the `Location` header, not the body. It sends no cookies and
 * no key. Without a proxy, the connection is guarded like those of webhooks: only to public addresses, on port 443.
 */
import { Effect } from "effect"
import { type IncomingMessage } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import {
  isInterposedPage,
  isResolvable,
  maxRedirects,
  parseRedirectTarget
} from "../../../domain/sources/resolvedUrl.ts"
import type { RedirectReply, ResolveRedirect } from "../../../ports/RedirectResolver.ts"
import { makeEgress } from "../webhooks/egress.ts"
import { makeGuardedAgents, type Resolve } from "../webhooks/guardedAgent.ts"

/** Time limit of one attempt in milliseconds, with all its requests. */
const maxTryMs = 5_000

/** Settings for tests: the resolver, the trusted certificates, and the time limit of an attempt. */
interface ResolverOptions {
  readonly resolve?: Resolve
  readonly ca?: string
  readonly tryMs?: number
}

/** Whether the same request may succeed later after this status. */
const isPassing = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

/** Creates the resolver of a platform; with a proxy, every connection is a tunnel through it. */
export const makeRedirectResolver = (
  proxy: string | null,
  { ca, resolve, tryMs = maxTryMs }: ResolverOptions = {}
): ResolveRedirect => {
  const agent = proxy === null
    ? makeGuardedAgents(makeEgress({ allow: [], http: false }), tryMs, resolve).https
    : new HttpsAgent({ proxyEnv: { HTTPS_PROXY: proxy } })

  const readHead = (url: string, signal: AbortSignal) =>
    new Promise<Pick<IncomingMessage, "statusCode" | "headers">>((done, reject) => {
      const outgoing = httpsRequest(url, {
        agent,
        signal,
        headers: { "user-agent": "sov" },
        ...(ca === undefined ? {} : { ca })
      })
      outgoing.on("error", reject)
      outgoing.on("response", (response) => {
        // The body is not read
        response.destroy()
        done(response)
      })
      outgoing.end()
    })

  const follow = async (first: string, signal: AbortSignal): Promise<RedirectReply> => {
    let url = first
    for (let asked = 0; asked < maxRedirects && isResolvable(url); asked++) {
      const { headers, statusCode: status = 0 } = await readHead(url, signal)
      if (isPassing(status)) return { outcome: "unanswered" }
      if (status === 404 || status === 410) return { outcome: "gone", target: null }
      const target = status >= 300 && status <= 399 ? parseRedirectTarget(headers.location, url) : null
      if (target === null) return { outcome: "refused", target: null }
      if (isInterposedPage(target)) return { outcome: "unanswered" }
      if (!isResolvable(target)) return { outcome: "resolved", target }
      url = target
    }
    return { outcome: "refused", target: null }
  }

  return (url) =>
    Effect.tryPromise((signal) => follow(url, signal)).pipe(
      Effect.timeout(tryMs),
      Effect.orElseSucceed((): RedirectReply => ({ outcome: "unanswered" }))
    )
}
