/** Whom a trusted proxy in front of the server names. */
import type { Session } from "@sov/core"
import { Effect } from "effect"
import type { IncomingMessage } from "node:http"
import { PageRefused } from "../guard/PageRefused.ts"

/** The parts of a request that say whom a proxy names. */
export type ProxiedRequest = Pick<IncomingMessage, "headersDistinct"> & {
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/** Null = nobody. Fails with PageRefused where the header came twice, or did not come from the proxy. */
export type ProxyUserOf = (request: ProxiedRequest) => Effect.Effect<string | null, PageRefused>

const refuse = (words: string) => Effect.fail(new PageRefused({ status: 400, words }))

/**
 * Reads the header of the trusted proxy. What another connection sends is refused rather than ignored: whoever sends it
 * expects to be believed, and a proxy that is missing among the trusted ones is noticed.
 */
export const makeProxyUserOf = (
  header: string | null,
  isTrusted: (address: string) => boolean
): ProxyUserOf => {
  if (header === null) return () => Effect.succeed(null)
  const name = header.toLowerCase()
  return ({ headersDistinct, socket }) => {
    const values = headersDistinct[name]
    if (values === undefined) return Effect.succeed(null)
    if (!isTrusted(socket.remoteAddress ?? "")) {
      return refuse(
        `The header ${header} counts only where a trusted proxy sends it. This request came from elsewhere.`
      )
    }
    if (values.length > 1) return refuse(`The header ${header} came more than once.`)
    const value = values[0]!.trim()
    return Effect.succeed(value === "" ? null : value)
  }
}

/** Whether the session holds in this request: one that a proxy began holds while the proxy names the same person. */
export const isVouchedFor = (
  { person, session }: {
    readonly session: Pick<Session, "method">
    readonly person: { readonly email: string | null }
  },
  proxyUser: string | null
): boolean => session.method !== "proxy" || proxyUser?.toLowerCase() === person.email?.toLowerCase()
