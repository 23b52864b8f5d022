/** Finds the person whom a trusted proxy in front of the server names. */
import { Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { IpNetwork } from "effect/net"
import type { IncomingMessage } from "node:http"
import { makeIsTrusted } from "./clientAddress.ts"

/** The parts of a request that are needed to find the person. */
type ProxiedRequest = Pick<IncomingMessage, "headersDistinct"> & {
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/** Returns null if the proxy names no person. The failure says why the request is refused. */
export type ReadProxyUser = (
  request: Pick<HttpServerRequest.HttpServerRequest, "source">
) => Result.Result<string | null, string>

/**
 * Reads `header` from trusted proxies; without a header name, no person is ever named. On any other connection the
 * header is refused instead of ignored, so that its sender, who expects it to work, notices that the proxy is not
 * trusted.
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
    // Uses the address of the connection itself: X-Forwarded-For is for the limits, and does not identify the sender of
    // this header
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
