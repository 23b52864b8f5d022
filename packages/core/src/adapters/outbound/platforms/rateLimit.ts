/** Reads the request limit of an API key from a reply's headers. */
import type { IncomingHttpHeaders } from "node:http"
import type { RequestLimit } from "../../../domain/archive/Answer.ts"

/** The header names of OpenAI, xAI and compatible servers, then Anthropic's (2026-11). */
const headerPairs = [
  ["x-ratelimit-limit-requests", "x-ratelimit-remaining-requests"],
  ["anthropic-ratelimit-requests-limit", "anthropic-ratelimit-requests-remaining"]
] as const

const readCount = (value: string | ReadonlyArray<string> | undefined): number | null =>
  typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : null

/** The limit in a reply's headers; null if they name none. */
export const readRequestLimit = (headers: IncomingHttpHeaders): RequestLimit | null => {
  for (const [limitName, remainingName] of headerPairs) {
    const [limit, remaining] = [readCount(headers[limitName]), readCount(headers[remainingName])]
    if (limit !== null && remaining !== null) return { limit, remaining }
  }
  return null
}
