/** Detects from a provider's reply that an API or a model has ended, or will end. */
import type { IncomingHttpHeaders } from "node:http"
import type { WireError } from "./wireFormat.ts"

/**
 * Codes for an API or a model that is gone. For its Sonar API, Perplexity answers 403 with
 * `chat_completions_not_available`, and earlier with `agent_api_migration_required`; for a removed model, Groq answers
 * 400 with `model_decommissioned`.
 */
const endedCode =
  /^chat_completions_not_available$|(?:^|_)(?:migration_required|deprecated|decommissioned|retired|discontinued|sunset|gone)$/i

/** A model name that the provider does not know may be one that it has removed. */
const unknownModel =
  /(?:^|: |\bthe )model [`"']?[\w./:-]{1,100}[`"']? (?:is not (?:supported|available|found)|does not exist|was not found)\b(?! (?:for|with|in|by|when|on)\b)/i

// What a sentence about an end may refer to. API keys are excluded, because the operator can replace a removed key
const subject = /\b(?:model|api(?![ -]?keys?\b)|endpoint|engine|deployment|version)s?\b/i
const endedSentence =
  /\b(?:(?:has|have) been|is|are|was|were) (?:now )?(?:deprecated|decommissioned|retired|discontinued|sunset|shut ?down|removed)\b|\bno longer (?:supported|available|served)\b|\bend[- ]of[- ]life\b|\bis now the [\w ]{1,40}\bapi\b/i
/** Some gateways send this word as the entire message. */
const endedWord = /^\W*(?:deprecated|decommissioned|retired|discontinued|sunset)\W*$/i
/**
 * Words for a part of a request. A deprecated parameter or input is a fault of the request: without it, the model still
 * answers.
 */
const parameter = /\b(?:parameter|field|argument|option|property|header|tool|input|feature|format)s?\b/i

const passed = (headers: IncomingHttpHeaders, nowMs: number): boolean => Date.parse(String(headers["sunset"])) <= nowMs

/**
 * Whether a failed reply says that the API or the model does not exist or has ended: 404, 410, a code or a sentence
 * that says so, or a refusal (403) with a `Sunset` header (RFC 8594) whose date has passed. A 404 may also mean that
 * the name never existed.
 */
export const hasEnded = (
  status: number,
  error: WireError | null,
  headers: IncomingHttpHeaders = {},
  nowMs = 0
): boolean => {
  if (status === 404 || status === 410 || endedCode.test(error?.code ?? "")) return true
  if (status !== 400 && status !== 403 && status !== 422) return false
  const message = error?.message ?? ""
  return (status === 403 && passed(headers, nowMs)) || endedWord.test(message) || unknownModel.test(message) ||
    (endedSentence.test(message) && subject.test(message) && !parameter.test(message))
}

/**
 * Converts `@1767225599` (RFC 9745) to a date and leaves other values as they are: older drafts use `true` or a date.
 */
const readable = (value: string): string => {
  const seconds = /^@(\d{1,12})$/.exec(value)?.[1]
  return seconds === undefined ? value : new Date(Number(seconds) * 1000).toUTCString()
}

const header = (name: string, value: string | ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  typeof value === "string" && value.trim() !== "" && value.trim() !== "false"
    ? [`${name}: ${readable(value.trim())}`]
    : []

/** The day (UTC) of an announced end, such as `2026-12-31`, from a time in any form; null for anything else. */
export const readEndDay = (value: unknown): string | null => {
  const time = typeof value === "string" ? new Date(value) : new Date(NaN)
  return Number.isNaN(time.getTime()) ? null : time.toISOString().slice(0, 10)
}

/**
 * The end of an API or model that a reply's headers announce, in their own words: `Sunset` (RFC 8594), `Deprecation`
 * (RFC 9745) and their link. Null if they announce none.
 */
export const announcedEnd = (headers: IncomingHttpHeaders): string | null => {
  const said = [...header("Sunset", headers["sunset"]), ...header("Deprecation", headers["deprecation"])]
  const link = /<([^<>]{1,300})>\s*;[^,]*rel="?(?:sunset|deprecation|successor-version)\b/i
    .exec(String(headers["link"] ?? ""))?.[1]
  return said.length === 0 ? null : [...said, ...(link === undefined ? [] : [`see ${link}`])].join(", ")
}
