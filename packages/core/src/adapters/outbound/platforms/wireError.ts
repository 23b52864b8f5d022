/** Reads the failure that a body reports, in the shapes of all providers, and maps it to the port's closed reasons. */
import { Schema } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import type { PlatformFailure } from "../../../domain/scanning/Cell.ts"
import { hasEnded } from "./endOfLife.ts"
import { makeReader, readMembers, readNonEmptyString, readObjects, readString } from "./readJson.ts"
import type { WireError } from "./wireFormat.ts"

const httpStatus = makeReader(Schema.Int.check(Schema.isBetween({ minimum: 400, maximum: 599 })))

/** google.rpc details: `ErrorInfo.reason` says more than the status word, `RetryInfo.retryDelay` is e.g. `"34.4s"`. */
const readGoogleDetails = (value: unknown) => {
  const details = readObjects(value)
  const reason = details.flatMap((detail) => readNonEmptyString(detail["reason"]) ?? [])[0] ?? null
  const delay = details.flatMap((detail) =>
    readString(detail["retryDelay"])?.match(/^(\d{1,6}(?:\.\d{1,9})?)s$/)?.[1] ?? []
  )
  return { reason, retryAfterMs: delay[0] === undefined ? null : Math.ceil(Number(delay[0]) * 1000) }
}

/**
 * The error that a body reports; null when it holds none. Known shapes: `{error: {message, type, code}}` (OpenAI,
 * Anthropic, Perplexity, OpenRouter), `{error: {code, message, status, details}}` (Google), `{code, error: "…"}` (xAI),
 * `{error: "…"}` (Ollama), `{message, code}` (Mistral, vLLM), `{detail: "…" | [{msg}]}` (FastAPI).
 */
export const readWireError = (value: unknown): WireError | null => {
  const body = readMembers(value)
  if (body === null) return null
  const error = readMembers(body["error"])
  if (error === null) {
    const message = readString(body["error"]) ?? readString(body["message"]) ?? readString(body["detail"]) ??
      readString(readObjects(body["detail"])[0]?.["msg"])
    if (message === null) return null
    return {
      code: readNonEmptyString(body["code"]) ?? readNonEmptyString(body["type"]),
      status: httpStatus(body["code"]),
      message,
      retryAfterMs: null
    }
  }
  const { reason, retryAfterMs } = readGoogleDetails(error["details"])
  return {
    code: reason ?? readNonEmptyString(error["code"]) ?? readNonEmptyString(error["type"]) ??
      readNonEmptyString(error["status"]),
    status: httpStatus(error["code"]),
    message: readString(error["message"]),
    retryAfterMs
  }
}

/** Codes that say the account behind the key cannot pay: asking again cannot help until the operator acts. */
const unpaidCodes = new Set(["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error"])
/** Google answers 400 to a bad key, and xAI does so with a sentence only. */
const badKeyCodes = new Set(["API_KEY_INVALID", "invalid_api_key", "authentication_error"])
const badKeySentence = /^(?:incorrect|invalid) api key\b|^api key not valid\b/i
const contentFilterCodes = new Set(["content_filter", "content_policy_violation", "invalid_prompt", "bio_policy"])
const rateLimitCodes = new Set(["rate_limit_exceeded", "rate_limit_error"])

/**
 * The reason for a failing status. 401, 402 and 403 are `auth`, and so are a 429 for want of credit and a 400 that
 * blames the key: the operator's to mend, no retry helps. `ended` is for the operator, too (`hasEnded`). 408, 409, 425
 * and every 5xx ask for another try; every other 4xx is `rejected`.
 */
export const classifyStatus = (
  status: number,
  error: WireError | null,
  headers: IncomingHttpHeaders = {},
  nowMs = 0
): PlatformFailure => {
  const code = error?.code ?? ""
  if (unpaidCodes.has(code) || badKeyCodes.has(code)) return "auth"
  if (status === 400 && badKeySentence.test(error?.message ?? "")) return "auth"
  if (status === 429 || rateLimitCodes.has(code)) return "throttled"
  if (contentFilterCodes.has(code)) return "refused"
  if (hasEnded(status, error, headers, nowMs)) return "ended"
  if (status === 401 || status === 402 || status === 403) return "auth"
  if (status >= 500 || status === 408 || status === 409 || status === 425) return "unavailable"
  return "rejected"
}
