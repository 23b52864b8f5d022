/** Which web pages may ask: those of the server's own names. Programs send no Origin. */
import { ownNames, type ServerOptions } from "@sov/http"

const loopback = ["127.0.0.1", "[::1]"]

/** Whether a request with these headers may be answered; `null`, which a hidden page sends, may not. */
export const makeOriginCheck = (
  settings: Pick<ServerOptions, "allowedHosts" | "host" | "publicUrl">
): (origin: string | undefined, host: string | undefined) => boolean => {
  const names = new Set([...loopback, ...ownNames(settings)])
  return (origin, asked) => {
    if (origin === undefined) return true
    const page = URL.parse(origin)
    if (page === null || !/^https?:$/.test(page.protocol)) return false
    // Whoever answers for all names still lets a page ask only where it came from
    return names.has(page.hostname) || (names.has("*") && page.host === asked)
  }
}
