/** Recognises that an API or a model has ended, or is announced to, in a provider's own words. */
import type { IncomingHttpHeaders } from "node:http"
import type { WireError } from "./wireFormat.ts"

/**
 * Codes that say that what was asked is gone. Perplexity answers a call of its Sonar API with 403 and
 * `chat_completions_not_available`, before that with `agent_api_migration_required`; Groq a call of a model that is
 * gone with 400 and `model_decommissioned`.
 */
const endedCode =
  /^chat_completions_not_available$|(?:^|_)(?:migration_required|deprecated|decommissioned|retired|discontinued|sunset|gone)$/i

/** A name that the provider does not know is one that it may have known. */
const unknownModel =
  /(?:^|: |\bthe )model [`"']?[\w./:-]{1,100}[`"']? (?:is not (?:supported|available|found)|does not exist|was not found)\b(?! (?:for|with|in|by|when|on)\b)/i

// Not the key of an API: a key that was removed is the operator's to mend
const subject = /\b(?:model|api(?![ -]?keys?\b)|endpoint|engine|deployment|version)s?\b/i
const endedSentence =
  /\b(?:(?:has|have) been|is|are|was|were) (?:now )?(?:deprecated|decommissioned|retired|discontinued|sunset|shut ?down|removed)\b|\bno longer (?:supported|available|served)\b|\bend[- ]of[- ]life\b|\bis now the [\w ]{1,40}\bapi\b/i
/** The whole message of some gateways. */
const endedWord = /^\W*(?:deprecated|decommissioned|retired|discontinued|sunset)\W*$/i
/** A parameter or an input that is deprecated is the request's fault: the model answers without it. */
const parameter = /\b(?:parameter|field|argument|option|property|header|tool|input|feature|format)s?\b/i

const passed = (headers: IncomingHttpHeaders, nowMs: number): boolean => Date.parse(String(headers["sunset"])) <= nowMs

/**
 * Whether a failing reply says that the API or the model is not there (any more): 404, 410, a code or a sentence that
 * says so, or a refusal (403) with a `Sunset` header (RFC 8594) whose date has passed. A 404 may also be a name that
 * never was.
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

/** `@1767225599` (RFC 9745) as a date; anything else as it is: older drafts have `true` or a date. */
const readable = (value: string): string => {
  const seconds = /^@(\d{1,12})$/.exec(value)?.[1]
  return seconds === undefined ? value : new Date(Number(seconds) * 1000).toUTCString()
}

const header = (name: string, value: string | ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  typeof value === "string" && value.trim() !== "" && value.trim() !== "false"
    ? [`${name}: ${readable(value.trim())}`]
    : []

/** The day (UTC) of an announced end, `2026-12-31`, of a time in any form; null for anything else. */
export const readEndDay = (value: unknown): string | null => {
  const time = typeof value === "string" ? new Date(value) : new Date(NaN)
  return Number.isNaN(time.getTime()) ? null : time.toISOString().slice(0, 10)
}

/**
 * The end that the headers of a reply announce, in their own words: `Sunset` (RFC 8594), `Deprecation` (RFC 9745) and
 * the link that belongs to them. Null when they announce none.
 */
export const announcedEnd = (headers: IncomingHttpHeaders): string | null => {
  const said = [...header("Sunset", headers["sunset"]), ...header("Deprecation", headers["deprecation"])]
  const link = /<([^<>]{1,300})>\s*;[^,]*rel="?(?:sunset|deprecation|successor-version)\b/i
    .exec(String(headers["link"] ?? ""))?.[1]
  return said.length === 0 ? null : [...said, ...(link === undefined ? [] : [`see ${link}`])].join(", ")
}
