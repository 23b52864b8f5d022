import type { IncomingHttpHeaders } from "node:http"

const hourMs = 3_600_000
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * The pause that a platform asks for, in milliseconds from `nowMs` and at most `maxMs` (an hour); null if it asks for
 * none. Reads `retry-after-ms` (OpenAI, Azure) and `Retry-After` as seconds or an HTTP date (RFC 9110 §10.2.3).
 */
export const readRetryAfterMs = (headers: IncomingHttpHeaders, nowMs: number, maxMs = hourMs): number | null => {
  const millis = String(headers["retry-after-ms"] ?? "").trim()
  const value = headers["retry-after"]?.trim() ?? ""
  const asked = /^\d{1,15}$/.test(millis)
    ? Number(millis)
    : /^\d{1,15}(\.\d{1,9})?$/.test(value)
    ? Number(value) * 1000
    : httpDate.test(value)
    ? Date.parse(value) - nowMs
    : NaN
  return Number.isNaN(asked) ? null : Math.ceil(Math.min(Math.max(asked, 0), maxMs))
}
