/** Whom a trusted proxy in front of the server names. */
import { Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { IpNetwork } from "effect/net"
import type { IncomingMessage } from "node:http"
import { makeIsTrusted } from "./clientAddress.ts"

/** The parts of a request that say whom a proxy names. */
type ProxiedRequest = Pick<IncomingMessage, "headersDistinct"> & {
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/** Null = the proxy names nobody. The failure says in words why the request is refused. */
export type ReadProxyUser = (
  request: Pick<HttpServerRequest.HttpServerRequest, "source">
) => Result.Result<string | null, string>

/**
 * Reads `header` of trusted proxies; without one nobody is ever named. What another connection sends is refused rather
 * than ignored: its sender expects to be believed, and a proxy that is missing among the trusted ones is noticed.
 */
export const makeReadProxyUser = (
  header: string | undefined,
  trusted: ReadonlyArray<IpNetwork.IpNetwork>
): ReadProxyUser => {
  if (header === undefined) return () => Result.succeed(null)
  const name = header.toLowerCase()
  const isTrusted = makeIsTrusted(trusted)
  return ({ source }) => {
    const { headersDistinct, socket } = source as ProxiedRequest
    const values = headersDistinct[name]
    if (values === undefined) return Result.succeed(null)
    // The connection's own address: X-Forwarded-For is for limits, and does not tell the sender of this header
    if (!isTrusted(socket.remoteAddress ?? "")) {
      return Result.fail(
        `The header ${header} counts only where a trusted proxy sends it. This request came from elsewhere.`
      )
    }
    if (values.length > 1) return Result.fail(`The header ${header} came more than once.`)
    const value = values[0]!.trim()
    return Result.succeed(value === "" ? null : value)
  }
}
