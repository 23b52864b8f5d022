/**
 * Mistral's Conversations API: `POST /conversations`. It is used because Mistral's chat completions cannot search.
 *
 * Format: the types of the official SDK, @mistralai/mistralai 2.7.0, and
 * https://docs.mistral.ai/agents/connectors/websearch (both read 2026-11).
 */
import type { MistralBinding } from "./bindings.ts"
import {
  joinTextRuns,
  listCitations,
  makeUnpricedUsage,
  readMembers,
  readModel,
  readObjects,
  readString,
  readTokens,
  sumTokens
} from "./readJson.ts"
import { readWireError } from "./wireError.ts"
import { makeBearerHeader, type Verdict, type WireFormat } from "./wireFormat.ts"

/**
 * Builds the request body. `store` is false, so that the provider does not keep the conversation: nothing is fetched
 * again.
 */
const makeConversationBody = (binding: MistralBinding, prompt: string) => ({
  model: binding.model,
  inputs: prompt,
  stream: false as const,
  store: false,
  ...(binding.systemPrompt === undefined ? {} : { instructions: binding.systemPrompt }),
  ...(binding.webSearch ? { tools: [{ type: "web_search" as const }] } : {}),
  ...(binding.maxOutputTokens === undefined ? {} : { completion_args: { max_tokens: binding.maxOutputTokens } })
})
/** The request body. */
export type ConversationRequest = ReturnType<typeof makeConversationBody>

type Entry = Record<string, unknown>

/** A message's content as chunks: one text, or a list in which `thinking` chunks are not part of the answer. */
const listChunks = (message: Entry): ReadonlyArray<Entry> => {
  const text = readString(message["content"])
  return text === null ? readObjects(message["content"]) : [{ type: "text", text }]
}

const readText = (message: Entry): string =>
  listChunks(message).map((chunk) => chunk["type"] === "text" ? readString(chunk["text"]) ?? "" : "").join("")

const readUsage = (value: unknown) => {
  const usage = readMembers(value)
  const connectors = readMembers(usage?.["connectors"])
  return makeUnpricedUsage(
    sumTokens(usage?.["prompt_tokens"], usage?.["connector_tokens"]),
    readTokens(usage?.["completion_tokens"]),
    connectors === null ? null : readTokens(connectors["web_search"] ?? 0)
  )
}

const readConversation = (value: unknown, most: number | undefined): Verdict => {
  const body = readMembers(value)
  if (body === null || !Array.isArray(body["outputs"])) {
    const error = readWireError(value)
    return error === null ? { kind: "wrongShape" } : { kind: "error", error }
  }
  const messages = readObjects(body["outputs"]).filter((entry) => entry["type"] === "message.output")
  const usage = readUsage(body["usage"])
  // The API does not say why an answer ended, so an answer that used all its tokens counts as cut
  const cut = most !== undefined && (usage.outputTokens ?? 0) >= most
  const text = joinTextRuns(messages.map(readText))
  if (text.trim() === "") return { kind: "empty", detail: cut ? "max_tokens" : null, usage }
  return {
    kind: "answer",
    text,
    model: readModel(messages.at(-1)?.["model"]),
    finish: cut ? "length" : "stop",
    usage,
    citations: listCitations(messages.flatMap(listChunks).filter((chunk) => chunk["type"] === "tool_reference"))
  }
}

export const makeMistral = (binding: MistralBinding): WireFormat => ({
  path: "/conversations",
  search: binding.webSearch ? "offered" : "off",
  promises: ["tokens", "sources"],
  headers: makeBearerHeader,
  body: (prompt) => makeConversationBody(binding, prompt),
  read: (body) => readConversation(body, binding.maxOutputTokens)
})
