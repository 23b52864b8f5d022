/**
 * The Anthropic Messages API: `POST /messages`.
 *
 * Format: https://platform.claude.com/docs/en/api/messages, search tool and citations
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool, stop reasons
 * https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons, pauses
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools (all read 2026-11). A model's end date is
 * `ModelInfo.retires_at` in the official SDK.
 */
import type { Finish, Usage } from "../../../domain/archive/Answer.ts"
import type { AnthropicMessagesBinding } from "./bindings.ts"
import {
  joinTextRuns,
  listCitations,
  makeUnpricedUsage,
  readFinish,
  readList,
  readMembers,
  readModel,
  readNonEmptyString,
  readObjects,
  readString,
  sumTokens
} from "./readJson.ts"
import { readWireError } from "./wireError.ts"
import type { Verdict, WireFormat } from "./wireFormat.ts"

const listContent = (body: unknown): ReadonlyArray<unknown> => readList(readMembers(body)?.["content"])

/**
 * Builds the request body. `web_search_20250305` stays: later versions of the tool filter their results by running
 * code, and may leave them out of the reply. After a pause, the assistant's unfinished turn is sent back unchanged as
 * the last message, as the documentation asks; the API then completes a search that was cut off.
 */
const makeMessagesBody = (
  binding: AnthropicMessagesBinding,
  prompt: string,
  earlier: ReadonlyArray<unknown> = []
) => ({
  model: binding.model,
  max_tokens: binding.maxOutputTokens,
  messages: [
    { role: "user" as const, content: prompt },
    ...(earlier.length === 0 ? [] : [{ role: "assistant" as const, content: earlier.flatMap(listContent) }])
  ],
  ...(binding.systemPrompt === undefined ? {} : { system: binding.systemPrompt }),
  ...(binding.webSearch
    ? {
      tools: [{
        type: "web_search_20250305" as const,
        name: "web_search" as const,
        ...(binding.maxSearches === undefined ? {} : { max_uses: binding.maxSearches }),
        ...(binding.location === undefined
          ? {}
          : { user_location: { type: "approximate" as const, ...binding.location } })
      }]
    }
    : {})
})
/** The request body. */
export type MessagesRequest = ReturnType<typeof makeMessagesBody>

const finishByStopReason: Readonly<Record<string, Finish>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "refusal"
}

/**
 * Joins text blocks. Citations split one paragraph into many adjacent blocks, which are joined without a gap; blocks on
 * either side of a search or of thinking are separate paragraphs.
 */
const joinTextBlocks = (blocks: ReadonlyArray<Record<string, unknown>>): string => {
  const runs: Array<string> = [""]
  for (const block of blocks) {
    if (block["type"] === "text") runs.push(`${runs.pop()}${readString(block["text"]) ?? ""}`)
    else runs.push("")
  }
  return joinTextRuns(runs)
}

const readUsage = (turn: ReadonlyArray<unknown>): Usage => {
  const usages = turn.map((one) => readMembers(readMembers(one)?.["usage"]) ?? {})
  return makeUnpricedUsage(
    sumTokens(...usages.flatMap((usage) => [
      usage["input_tokens"],
      usage["cache_creation_input_tokens"],
      usage["cache_read_input_tokens"]
    ])),
    sumTokens(...usages.map((usage) => usage["output_tokens"])),
    sumTokens(...usages.map((usage) => readMembers(usage["server_tool_use"])?.["web_search_requests"]))
  )
}

const readMessage = (value: unknown, earlier: ReadonlyArray<unknown>): Verdict => {
  const body = readMembers(value)
  if (body === null || !Array.isArray(body["content"])) {
    const error = readWireError(value)
    return error === null ? { kind: "wrongShape" } : { kind: "error", error }
  }
  const turn = [...earlier, body]
  const usage = readUsage(turn)
  if (body["stop_reason"] === "pause_turn") return { kind: "paused", usage }
  const blocks = readObjects(turn.flatMap(listContent))
  const text = joinTextBlocks(blocks)
  const finish = readFinish(finishByStopReason, body["stop_reason"])
  if (text.trim() === "") {
    const details = readMembers(body["stop_details"])
    return finish === "refusal"
      ? {
        kind: "refused",
        detail: readNonEmptyString(details?.["explanation"]) ?? readNonEmptyString(details?.["category"]),
        usage
      }
      : { kind: "empty", detail: readNonEmptyString(body["stop_reason"]), usage }
  }
  return {
    kind: "answer",
    text,
    model: readModel(body["model"]),
    finish,
    usage,
    citations: listCitations(blocks.flatMap((block) => block["type"] === "text" ? readObjects(block["citations"]) : []))
  }
}

export const makeAnthropicMessages = (binding: AnthropicMessagesBinding): WireFormat => ({
  path: "/messages",
  search: binding.webSearch ? "offered" : "off",
  promises: ["finish", "tokens", "sources"],
  headers: (key) => ({ "anthropic-version": "2023-06-01", ...(key === null ? {} : { "x-api-key": key }) }),
  body: (prompt, earlier) => makeMessagesBody(binding, prompt, earlier),
  read: readMessage,
  model: { path: `/models/${encodeURIComponent(binding.model)}`, endOf: (body) => body["retires_at"] }
})
