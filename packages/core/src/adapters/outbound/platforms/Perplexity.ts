/**
 * Perplexity's Agent API: `POST /agent`, of which `/responses` is an alias. It replaced the Sonar API, which ended on
 * 2026-09-27.
 *
 * Format: the types of the official SDK, @perplexity-ai/perplexity_ai 0.38.5; `tool_choice` as in
 * https://docs.perplexity.ai/docs/agent-api/migrate-from-sonar/how-to (both read 2026-11). The API refuses unknown
 * fields with 400, so no other fields are sent.
 */
import type { Citation, Usage } from "../../../domain/archive/Answer.ts"
import { readNotes } from "../../../domain/sources/openAiResponses.ts"
import { readSearchResults } from "../../../domain/sources/perplexityAgent.ts"
import type { PerplexityBinding } from "./bindings.ts"
import {
  listCitations,
  maxCitations,
  maxExaminedEntries,
  readDollars,
  readMembers,
  readModel,
  readNonEmptyString,
  readObjects,
  readSource,
  readTokens,
  sumTokens
} from "./readJson.ts"
import { readIncompleteReason, readMessages, readStatusFinish } from "./responsesOutput.ts"
import { readWireError } from "./wireError.ts"
import { makeBearerHeader, type Verdict, type WireFormat } from "./wireFormat.ts"

/** Whether `model` is one of the API's presets, such as `low`. Models are named `provider/model`. */
export const isPreset = (model: string): boolean => !model.includes("/")

/** Builds the request body. By default the model decides whether to search, so `tool_choice` demands it. */
const makeAgentBody = (binding: PerplexityBinding, prompt: string) => ({
  ...(isPreset(binding.model) ? { preset: binding.model } : { model: binding.model }),
  input: prompt,
  store: false,
  ...(binding.systemPrompt === undefined ? {} : { instructions: binding.systemPrompt }),
  ...(binding.maxOutputTokens === undefined ? {} : { max_output_tokens: binding.maxOutputTokens }),
  ...(binding.language === undefined ? {} : { language_preference: binding.language }),
  ...(binding.webSearch
    ? {
      tools: [{
        type: "web_search" as const,
        ...(binding.location === undefined ? {} : { user_location: binding.location })
      }],
      ...(binding.forceSearch === false ? {} : { tool_choice: { type: "web_search" as const } })
    }
    : {})
})
/** The request body. */
export type AgentRequest = ReturnType<typeof makeAgentBody>

/**
 * Returns the search results that the text cites by number. If it cites none, returns the citations in the message's
 * annotations, or all results if there are no annotations either.
 */
const readCitations = (output: unknown, text: string): ReadonlyArray<Citation> => {
  const items = readObjects(output)
  const results = readSearchResults(items, text).slice(0, maxExaminedEntries)
  const marked = results.filter(({ mark }) => mark !== null)
  const notes = marked.length > 0 ? [] : [...readNotes(items.filter((item) => item["type"] === "message"), text)]
  if (notes.length > 0) return listCitations(notes)
  const byNumber = new Map<number, Citation>()
  for (const { number, result } of marked.length > 0 ? marked : results) {
    const source = readSource(result)
    if (source !== null && !byNumber.has(number)) byNumber.set(number, { ...source, position: number })
  }
  return [...byNumber.values()].toSorted((a, b) => a.position - b.position).slice(0, maxCitations)
}

const readUsage = (value: unknown): Usage => {
  const usage = readMembers(value)
  const calls = readMembers(usage?.["tool_calls_details"])
  // The request calls the tool `web_search`; recorded replies count it as `search_web`.
  const searches = sumTokens(...["web_search", "search_web"].map((tool) => readMembers(calls?.[tool])?.["invocation"]))
  return {
    inputTokens: readTokens(usage?.["input_tokens"]),
    outputTokens: readTokens(usage?.["output_tokens"]),
    costUsd: readDollars(readMembers(usage?.["cost"])?.["total_cost"]),
    ...(searches === null ? {} : { searches })
  }
}

/** Statuses of a response that contains text. `incomplete` is in none of the SDK's types, but it was recorded. */
const endedStatuses = new Set<unknown>(["completed", "incomplete", undefined])

const readAgentResponse = (value: unknown): Verdict => {
  const body = readMembers(value)
  const error = readWireError(value)
  if (body === null || !Array.isArray(body["output"])) {
    return error === null ? { kind: "wrongShape" } : { kind: "error", error }
  }
  const { refused, text } = readMessages(body["output"])
  const usage = readUsage(body["usage"])
  const status = body["status"]
  if (!endedStatuses.has(status)) {
    const said = `the response has the status "${readNonEmptyString(status) ?? typeof status}"`
    return {
      kind: "error",
      error: error ?? { code: null, words: [], status: null, message: said, retryAfterMs: null },
      usage
    }
  }
  const reason = readIncompleteReason(body)
  if (text.trim() === "") {
    if (error !== null) return { kind: "error", error, usage }
    const detail = reason ?? (status === "completed" ? null : readNonEmptyString(status))
    return { kind: refused || reason === "content_filter" ? "refused" : "empty", detail, usage }
  }
  return {
    kind: "answer",
    text,
    model: readModel(body["model"]),
    finish: refused ? "refusal" : readStatusFinish(status, reason),
    usage,
    citations: readCitations(body["output"], text)
  }
}

export const makePerplexity = (binding: PerplexityBinding): WireFormat => ({
  path: "/agent",
  search: !binding.webSearch ? "off" : binding.forceSearch === false ? "offered" : "required",
  promises: ["finish", "tokens", "sources", "cost"],
  headers: makeBearerHeader,
  body: (prompt) => makeAgentBody(binding, prompt),
  read: readAgentResponse,
  advice: ({ message }) =>
    /\btool_choice\b/.test(message ?? "")
      ? "set forceSearch to false for a model that cannot be made to search"
      : /\bmax_output_tokens\b/.test(message ?? "")
      ? "set maxOutputTokens"
      : null
})
