/**
 * The OpenAI Responses API: `POST /responses`.
 *
 * Format: https://platform.openai.com/docs/api-reference/responses and, for the search tool and its `url_citation`
 * annotations, https://platform.openai.com/docs/guides/tools-web-search (both read 2026-10).
 */
import type { Finish } from "../../../domain/archive/Answer.ts"
import type { OpenAiResponsesBinding } from "./bindings.ts"
import { citedOnce, joinRuns, members, modelOf, objects, sourceOf, string, tokens, unpriced, word } from "./readJson.ts"
import { readWireError } from "./wireError.ts"
import { bearer, type Verdict, type WireFormat } from "./wireFormat.ts"

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
      }]
    }
    : {})
})
/** What is sent. */
export type ResponsesRequest = ReturnType<typeof responsesBody>

const incomplete: Readonly<Record<string, Finish>> = { max_output_tokens: "length", content_filter: "content_filter" }

/** Messages only: reasoning and tool calls are other items. Commentary is for the time until the answer is there. */
const messagesOf = (output: unknown): ReadonlyArray<ReadonlyArray<Record<string, unknown>>> => {
  const messages = objects(output).filter((item) => item["type"] === "message")
  const final = messages.filter((message) => message["phase"] !== "commentary")
  return (final.length > 0 ? final : messages).map((message) => objects(message["content"]))
}

/** Searches that are charged: opening a page, or finding something in it, is not. */
const searchesOf = (output: unknown): number =>
  objects(output).filter((item) => {
    const action = members(item["action"])?.["type"] ?? "search"
    return item["type"] === "web_search_call" && action === "search"
  }).length

/** What a reader sees of a message: its text, and a refusal, which is said in words, too. */
const shownIn = (content: ReadonlyArray<Record<string, unknown>>): ReadonlyArray<string> => {
  const said = (type: string, member: string) =>
    content.map((part) => part["type"] === type ? string(part[member]) ?? "" : "").join("")
  return [said("output_text", "text"), said("refusal", "refusal")]
}

const read = (value: unknown): Verdict => {
  const body = members(value)
  if (body === null || !Array.isArray(body["output"])) {
    const error = readWireError(value)
    return error === null ? { kind: "wrongShape" } : { kind: "error", error }
  }
  const messages = messagesOf(body["output"])
  const parts = messages.flat()
  const text = joinRuns(messages.flatMap(shownIn))
  const said = word(members(body["incomplete_details"])?.["reason"])
  const refused = parts.some((part) => part["type"] === "refusal")
  const counted = members(body["usage"])
  const usage = unpriced(
    tokens(counted?.["input_tokens"]),
    tokens(counted?.["output_tokens"]),
    searchesOf(body["output"])
  )
  if (text.trim() === "") {
    const error = readWireError(body)
    if (error !== null) return { kind: "error", error, usage }
    return { kind: refused || said === "content_filter" ? "refused" : "empty", detail: said, usage }
  }
  return {
    kind: "answer",
    text,
    model: modelOf(body["model"]),
    finish: refused
      ? "refusal"
      : body["status"] === "completed"
      ? "stop"
      : said !== null && Object.hasOwn(incomplete, said)
      ? incomplete[said]!
      : "other",
    usage,
    citations: citedOnce(
      parts.flatMap((part) => part["type"] === "output_text" ? objects(part["annotations"]).map(sourceOf) : [])
    )
  }
}

export const openAiResponses = (binding: OpenAiResponsesBinding): WireFormat => ({
  path: "/responses",
  headers: bearer,
  body: (prompt) => responsesBody(binding, prompt),
  read
})
