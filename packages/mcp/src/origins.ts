/**
 * Checks which web pages may send requests: only pages from the server's own host names. Programs other than browsers
 * send no Origin.
 */
import { listOwnHostNames, type ServerOptions } from "@sov/http"

const loopback = ["127.0.0.1", "[::1]"]

/** Whether a request with these headers is allowed. The origin `null`, sent by sandboxed pages, is not allowed. */
export const makeOriginCheck = (
  settings: Pick<ServerOptions, "allowedHosts" | "host" | "publicUrl">
): (origin: string | undefined, host: string | undefined) => boolean => {
  const names = new Set([...loopback, ...listOwnHostNames(settings)])
  return (origin, host) => {
    if (origin === undefined) return true
    const page = URL.parse(origin)
    if (page === null || !/^https?:$/.test(page.protocol)) return false
    // A server that accepts all host names still allows only pages from the host that the request was sent to
    return names.has(page.hostname) || (names.has("*") && page.host === host)
  }
}
