/** Which web pages may ask: those of the server's own names. Programs send no Origin. */
import type { ServerOptions } from "@sov/http"

const own = ["localhost", "127.0.0.1", "[::1]"]

/** Whether a request with these headers may be answered; `null`, which a hidden page sends, may not. */
export const makeOriginCheck = (
  { allowedHosts, host, publicUrl }: Pick<ServerOptions, "allowedHosts" | "host" | "publicUrl">
): (origin: string | undefined, host: string | undefined) => boolean => {
  const names = new Set([...own, host, ...allowedHosts.map((name) => name.replace(/:\d*$/, "").toLowerCase())])
  if (publicUrl !== undefined) names.add(new URL(publicUrl).hostname)
  return (origin, asked) => {
    if (origin === undefined) return true
    const page = URL.parse(origin)
    if (page === null || !/^https?:$/.test(page.protocol)) return false
    // Whoever answers for all names still lets a page ask only where it came from
    return names.has(page.hostname) || (allowedHosts.includes("*") && page.host === asked)
  }
}
