/**
 * The OpenAI Responses API: `POST /responses`.
 *
 * Format: https://platform.openai.com/docs/api-reference/responses and, for the search tool, its `url_citation`
 * annotations and its sources, https://platform.openai.com/docs/guides/tools-web-search (both read 2026-11).
 */
import type { OpenAiResponsesBinding } from "./bindings.ts"
import { citedOnce, members, modelOf, objects, tokens, unpriced } from "./readJson.ts"
import { finishOfStatus, incompleteReason, readMessages } from "./responsesOutput.ts"
import { readWireError } from "./wireError.ts"
import { bearer, type Verdict, type WireFormat } from "./wireFormat.ts"

/** Every page that a search consulted: an answer's citations name only some of them. */
const include: Array<"web_search_call.action.sources"> = ["web_search_call.action.sources"]

/** The request. Nothing is kept at the provider (`store`), because nothing is asked for again. */
const responsesBody = (binding: OpenAiResponsesBinding, prompt: string) => ({
  model: binding.model,
  input: prompt,
  store: false,
  ...(binding.systemPrompt === undefined ? {} : { instructions: binding.systemPrompt }),
  ...(binding.maxOutputTokens === undefined ? {} : { max_output_tokens: binding.maxOutputTokens }),
  ...(binding.webSearch
    ? {
      tools: [{
        type: "web_search" as const,
        ...(binding.location === undefined
          ? {}
          : { user_location: { type: "approximate" as const, ...binding.location } })
      }],
      ...(binding.includeSources === false ? {} : { include })
    }
    : {})
})
/** What is sent. */
export type ResponsesRequest = ReturnType<typeof responsesBody>

/** Searches that are charged: opening a page, or finding something in it, is not. */
const searchesOf = (output: unknown): number =>
  objects(output).filter((item) => {
    const action = members(item["action"])?.["type"] ?? "search"
    return item["type"] === "web_search_call" && action === "search"
  }).length

const read = (value: unknown): Verdict => {
  const body = members(value)
  if (body === null || !Array.isArray(body["output"])) {
    const error = readWireError(value)
    return error === null ? { kind: "wrongShape" } : { kind: "error", error }
  }
  const { parts, refused, text } = readMessages(body["output"])
  const reason = incompleteReason(body)
  const counted = members(body["usage"])
  const usage = unpriced(
    tokens(counted?.["input_tokens"]),
    tokens(counted?.["output_tokens"]),
    searchesOf(body["output"])
  )
  if (text.trim() === "") {
    const error = readWireError(body)
    if (error !== null) return { kind: "error", error, usage }
    return { kind: refused || reason === "content_filter" ? "refused" : "empty", detail: reason, usage }
  }
  return {
    kind: "answer",
    text,
    model: modelOf(body["model"]),
    finish: refused ? "refusal" : finishOfStatus(body["status"], reason),
    usage,
    citations: citedOnce(parts.flatMap((part) => part["type"] === "output_text" ? objects(part["annotations"]) : []))
  }
}

export const openAiResponses = (binding: OpenAiResponsesBinding): WireFormat => ({
  path: "/responses",
  search: binding.webSearch ? "offered" : "off",
  promises: binding.includeSources === false ? ["finish", "tokens"] : ["finish", "tokens", "sources"],
  headers: bearer,
  body: (prompt) => responsesBody(binding, prompt),
  read,
  advice: ({ message }) =>
    /\binclude\b|action\.sources/.test(message ?? "") ? "set includeSources to false for a gateway without it" : null
})
