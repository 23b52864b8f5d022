/** Reads the failure in a body, in the shapes of all providers, and maps it to the port's closed reasons. */
import { Schema } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import type { PlatformFailure } from "../../../domain/scanning/Cell.ts"
import { hasEnded } from "./endOfLife.ts"
import { makeReader, readMembers, readNonEmptyString, readObjects, readString } from "./readJson.ts"
import type { WireError } from "./wireFormat.ts"

const httpStatus = makeReader(Schema.Int.check(Schema.isBetween({ minimum: 400, maximum: 599 })))

/**
 * google.rpc details: `ErrorInfo.reason` is more specific than the status word, `RetryInfo.retryDelay` is e.g.
 * `"34.4s"`.
 */
const readGoogleDetails = (value: unknown) => {
  const details = readObjects(value)
  const reason = details.flatMap((detail) => readNonEmptyString(detail["reason"]) ?? [])[0] ?? null
  const delay = details.flatMap((detail) =>
    readString(detail["retryDelay"])?.match(/^(\d{1,6}(?:\.\d{1,9})?)s$/)?.[1] ?? []
  )
  return { reason, retryAfterMs: delay[0] === undefined ? null : Math.ceil(Number(delay[0]) * 1000) }
}

/** The words that name a fault, most specific first. */
const readWords = (...values: ReadonlyArray<unknown>) => {
  const words = values.flatMap((value) => readNonEmptyString(value) ?? [])
  return { code: words[0] ?? null, words }
}

/**
 * The error in a body; null if it has none. Known shapes: `{error: {message, type, code}}` (OpenAI, Perplexity,
 * OpenRouter), `{error: {message, type, details: {error_code}}}` (Anthropic), `{error: {code, message, status,
 * details}}` (Google), `{code, error: "…"}` (xAI), `{error: "…"}` (Ollama), `{message, code}` (Mistral, vLLM),
 * `{detail: "…" | [{msg}]}` (FastAPI), `{status_message: "…"}` (DataForSEO).
 */
export const readWireError = (value: unknown): WireError | null => {
  const body = readMembers(value)
  if (body === null) return null
  const error = readMembers(body["error"])
  if (error === null) {
    const message = readString(body["error"]) ?? readString(body["message"]) ?? readString(body["detail"]) ??
      readString(readObjects(body["detail"])[0]?.["msg"]) ?? readString(body["status_message"])
    if (message === null) return null
    return {
      ...readWords(body["code"], body["type"]),
      status: httpStatus(body["code"]),
      message,
      retryAfterMs: null
    }
  }
  const { reason, retryAfterMs } = readGoogleDetails(error["details"])
  const anthropicCode = readMembers(error["details"])?.["error_code"]
  // OpenRouter's moderation answers 403 with a number as its code: only the flagged text tells it apart from a bad key
  const flagged = readMembers(error["metadata"])?.["flagged_input"]
  return {
    ...readWords(
      reason,
      anthropicCode,
      error["code"],
      error["type"],
      error["status"],
      flagged === undefined ? null : "content_policy_violation"
    ),
    status: httpStatus(error["code"]),
    message: readString(error["message"]),
    retryAfterMs
  }
}

/**
 * Codes that say that the account behind the key cannot pay: retrying cannot help until the operator acts. OpenAI's
 * words come from `ResponseError` in its SDK and from the codes of its agents, Anthropic's from its `ErrorDetails`
 * (2026-11).
 */
const unpaidWords = new Set([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "billing_not_active",
  "billing_error",
  "credit_balance_exhausted",
  "organization_spend_limit_exceeded",
  "project_spend_limit_exceeded",
  "organization_usage_limit_exceeded",
  "usage_limit_exceeded",
  "enforced_spend_limit_reached",
  "contract_spend_limit_reached",
  "organization_spend_limit_reached",
  "linked_organization_spend_limit_reached"
])
/**
 * Sentences that say the same. Anthropic answers 400 if an account is empty or over its own limit; xAI and Gemini
 * answer 403 or 429.
 */
const unpaidSentences = [
  /^your (?:credit balance is too low|prepayment credits are depleted)\b/i,
  /^you have (?:reached your specified (?:\w+ )?(?:api )?usage limits|run out of credits)\b/i,
  /^your team [\w-]+ has either used all available credits\b/i
]
/** Codes for a bad key. Google answers 400; so does xAI, but only with a sentence. */
const badKeyWords = new Set(["API_KEY_INVALID", "invalid_api_key", "authentication_error"])
const badKeySentence = /^(?:incorrect|invalid) api key\b|^api key not valid\b/i
/** Codes that say that the account is on hold, or must not process data in the region of the request. */
const accountWords = new Set(["organization_on_hold", "data_residency_mismatch"])
const contentFilterWords = new Set([
  "content_filter",
  "content_policy_violation",
  "invalid_prompt",
  "bio_policy",
  "cyber_policy",
  "misalignment_policy_violation"
])
/**
 * Sentences that say that the content was blocked. xAI answers 403 with the code of a missing permission, DeepSeek 400
 * with the code of any bad request.
 */
const contentFilterSentence = /^content (?:violates usage guidelines|exists risk)\b/i
const rateLimitWords = new Set(["rate_limit_exceeded", "rate_limit_error"])

/**
 * Classifies a failed status. 402, or any status whose body says that the account cannot pay, is `no_credit`. 401, 403,
 * or any status whose body says that the account is on hold or the key is bad, is `auth`. Both need the operator: no
 * retry helps. A block by policy is `refused`. `ended` (see `hasEnded`) needs the operator, too. 408, 409, 425 and
 * every 5xx can be retried; every other 4xx is `rejected`.
 */
export const classifyStatus = (
  status: number,
  error: WireError | null,
  headers: IncomingHttpHeaders = {},
  nowMs = 0
): PlatformFailure => {
  const says = (words: ReadonlySet<string>) => error?.words.some((word) => words.has(word)) === true
  const message = error?.message ?? ""
  const opens = (sentence: RegExp) => status === 400 && sentence.test(message)
  const isUnpaid = status < 500 && unpaidSentences.some((sentence) => sentence.test(message))
  if (says(unpaidWords) || isUnpaid) return "no_credit"
  if (says(badKeyWords) || says(accountWords) || opens(badKeySentence)) return "auth"
  if (says(contentFilterWords) || (status < 500 && contentFilterSentence.test(message))) return "refused"
  if (status === 429 || says(rateLimitWords)) return "throttled"
  if (hasEnded(status, error, headers, nowMs)) return "ended"
  if (status === 402) return "no_credit"
  if (status === 401 || status === 403) return "auth"
  if (status >= 500 || status === 408 || status === 409 || status === 425) return "unavailable"
  return "rejected"
}
