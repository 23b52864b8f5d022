/** Which web pages may send requests: those of the server's own host names. Programs send no Origin. */
import { listOwnHostNames, type ServerOptions } from "@sov/http"

const loopback = ["127.0.0.1", "[::1]"]

/** Whether a request with these headers is allowed. The origin `null`, which a sandboxed page sends, is not. */
export const makeOriginCheck = (
  settings: Pick<ServerOptions, "allowedHosts" | "host" | "publicUrl">
): (origin: string | undefined, host: string | undefined) => boolean => {
  const names = new Set([...loopback, ...listOwnHostNames(settings)])
  return (origin, host) => {
    if (origin === undefined) return true
    const page = URL.parse(origin)
    if (page === null || !/^https?:$/.test(page.protocol)) return false
    // Even a server that accepts all host names allows a page only of the host that it asks
    return names.has(page.hostname) || (names.has("*") && page.host === host)
  }
}
