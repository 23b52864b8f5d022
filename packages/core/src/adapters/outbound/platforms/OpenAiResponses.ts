/**
 * The OpenAI Responses API: `POST /responses`.
 *
 * Format: https://platform.openai.com/docs/api-reference/responses and, for the search tool, its `url_citation`
 * annotations and its sources, https://platform.openai.com/docs/guides/tools-web-search (both read 2026-11). A model's
 * end date is `Model.shutdown_date` in the official SDK.
 */
import { isSearchItem } from "../../../domain/sources/openAiResponses.ts"
import type { OpenAiResponsesBinding } from "./bindings.ts"
import {
  listCitations,
  makeUnpricedUsage,
  readDollars,
  readMembers,
  readModel,
  readObjects,
  readTokens
} from "./readJson.ts"
import { readIncompleteReason, readMessages, readStatusFinish } from "./responsesOutput.ts"
import { readWireError } from "./wireError.ts"
import { makeBearerHeader, type Verdict, type WireFormat } from "./wireFormat.ts"

/** Asks for every page that a search consulted, because an answer's citations name only some of them. */
const includedFields: Array<"web_search_call.action.sources"> = ["web_search_call.action.sources"]

const makeUserLocation = ({ location }: OpenAiResponsesBinding) =>
  location === undefined ? {} : { user_location: { type: "approximate" as const, ...location } }

/**
 * Builds the request body. `store` is false, so that the provider does not keep the response: nothing is fetched again.
 */
const makeResponsesBody = (binding: OpenAiResponsesBinding, prompt: string) => ({
  model: binding.model,
  input: prompt,
  store: false,
  ...(binding.systemPrompt === undefined ? {} : { instructions: binding.systemPrompt }),
  ...(binding.maxOutputTokens === undefined ? {} : { max_output_tokens: binding.maxOutputTokens }),
  ...(binding.webSearch && binding.searchEngine === undefined
    ? {
      tools: [{ type: "web_search" as const, ...makeUserLocation(binding) }],
      ...(binding.maxSearches === undefined ? {} : { max_tool_calls: binding.maxSearches }),
      ...(binding.includeSources === false ? {} : { include: includedFields })
    }
    : {})
})
/** The request body. */
export type ResponsesRequest = ReturnType<typeof makeResponsesBody>

/** Builds the request body with OpenRouter's own search tool, which always lists its sources. */
const makeRouterBody = (binding: OpenAiResponsesBinding, prompt: string) => ({
  ...makeResponsesBody(binding, prompt),
  tools: [{
    type: "openrouter:web_search" as const,
    parameters: {
      engine: binding.searchEngine,
      ...(binding.maxSearches === undefined ? {} : { max_uses: binding.maxSearches }),
      ...makeUserLocation(binding)
    }
  }]
})
export type RouterRequest = ReturnType<typeof makeRouterBody>

/** Counts the searches that are charged. Opening a page, or finding text in it, is free. */
const countSearches = (output: unknown): number =>
  readObjects(output).filter((item) => {
    const action = readMembers(item["action"])?.["type"] ?? "search"
    return isSearchItem(item) && action === "search"
  }).length

/**
 * Reads the cost that the reply reports: OpenRouter's in dollars, xAI's in ticks of 1e-10 dollars. OpenAI reports none.
 */
const readCost = (usage: Record<string, unknown> | null): number | null => {
  const ticks = usage?.["cost_in_usd_ticks"]
  return readDollars(usage?.["cost"]) ?? readDollars(typeof ticks === "number" ? ticks / 1e10 : null)
}

const readResponse = (value: unknown): Verdict => {
  const body = readMembers(value)
  if (body === null || !Array.isArray(body["output"])) {
    const error = readWireError(value)
    return error === null ? { kind: "wrongShape" } : { kind: "error", error }
  }
  const { parts, refused, text } = readMessages(body["output"])
  const reason = readIncompleteReason(body)
  const counted = readMembers(body["usage"])
  const usage = {
    ...makeUnpricedUsage(
      readTokens(counted?.["input_tokens"]),
      readTokens(counted?.["output_tokens"]),
      countSearches(body["output"])
    ),
    costUsd: readCost(counted)
  }
  if (text.trim() === "") {
    const error = readWireError(body)
    if (error !== null) return { kind: "error", error, usage }
    return { kind: refused || reason === "content_filter" ? "refused" : "empty", detail: reason, usage }
  }
  return {
    kind: "answer",
    text,
    model: readModel(body["model"]),
    finish: refused ? "refusal" : readStatusFinish(body["status"], reason),
    usage,
    citations: listCitations(
      parts.flatMap((part) => part["type"] === "output_text" ? readObjects(part["annotations"]) : [])
    )
  }
}

export const makeOpenAiResponses = (binding: OpenAiResponsesBinding): WireFormat => ({
  path: "/responses",
  search: binding.webSearch ? "offered" : "off",
  promises: binding.includeSources === false ? ["finish", "tokens"] : ["finish", "tokens", "sources"],
  headers: (key) => binding.keyHeader === "api-key" && key !== null ? { "api-key": key } : makeBearerHeader(key),
  body: (prompt) =>
    binding.webSearch && binding.searchEngine !== undefined
      ? makeRouterBody(binding, prompt)
      : makeResponsesBody(binding, prompt),
  read: readResponse,
  model: { path: `/models/${encodeURIComponent(binding.model)}`, endOf: (body) => body["shutdown_date"] },
  advice: ({ message }) =>
    /\binclude\b|action\.sources/.test(message ?? "") ? "set includeSources to false for a gateway without it" : null
})
