/**
 * Reads a response body in the OpenAI chat-completions format. Pure and total: any value gives a verdict.
 *
 * Differences between providers (documentation read 2026-11): Mistral sends content as chunks, of which `thinking` is
 * not the answer (https://docs.mistral.ai/capabilities/reasoning); DeepSeek sends `reasoning_content`
 * (https://api-docs.deepseek.com/guides/reasoning_model), vLLM and Ollama `reasoning` beside the content
 * (https://docs.vllm.ai/en/latest/features/reasoning_outputs), and all three may leave it in the content between
 * `<think>` tags; OpenRouter lists citations in annotations and reports failures inside a choice
 * (https://openrouter.ai/docs/features/web-search, https://openrouter.ai/docs/api-reference/errors); xAI lists
 * `citations` (https://docs.x.ai/docs/guides/live-search).
 */
import { Schema } from "effect"
import type { Citation, Finish, Usage } from "../../../domain/archive/Answer.ts"
import {
  listCitations,
  makeReader,
  maxCitations,
  readDollars,
  readFinish,
  readList,
  readMembers,
  readModel,
  readNonEmptyString,
  readObjects,
  readSource,
  readString,
  readTokens
} from "./readJson.ts"
import { readWireError } from "./wireError.ts"
import type { Verdict } from "./wireFormat.ts"

const readCompletion = makeReader(Schema.Struct({ choices: Schema.NonEmptyArray(Schema.Unknown) }))
const readChoice = makeReader(Schema.Struct({
  finish_reason: Schema.optionalKey(Schema.Unknown),
  message: Schema.Struct({
    content: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Array(Schema.Unknown)]))),
    refusal: Schema.optionalKey(Schema.Unknown),
    annotations: Schema.optionalKey(Schema.Unknown)
  })
}))

const finishByReason: Readonly<Record<string, Finish>> = {
  stop: "stop",
  end_turn: "stop",
  length: "length",
  max_tokens: "length",
  model_length: "length",
  content_filter: "content_filter"
}

/**
 * The content without leading reasoning. Some chat templates put the opening tag into the prompt, so that only the
 * closing tag arrives, on its own line. Reasoning that was cut has no closing tag.
 */
const removeThinking = (content: string): string => {
  const open = /^\s*<think>/.exec(content)
  if (open !== null) {
    const close = content.indexOf("</think>", open[0].length)
    return close < 0 ? "" : content.slice(close + "</think>".length)
  }
  const close = content.includes("<think>") ? null : /^[ \t]*<\/think>[ \t]*\r?$/m.exec(content)
  return close === null ? content : content.slice(close.index + close[0].length)
}

/**
 * `citations` come first because the text's `[n]` refer to their entries; `search_results`, `url_citation` notes and
 * sources among the content's parts follow, and fill in missing titles. Only http and https addresses are kept, each
 * with its position in the platform's own list.
 */
const readCitations = (
  body: Record<string, unknown>,
  annotations: unknown,
  parts: ReadonlyArray<unknown>
): ReadonlyArray<Citation> => {
  const listed = (value: unknown) =>
    readList(value).slice(0, maxCitations).map(readSource).flatMap((source, i) =>
      source === null ? [] : [{ ...source, position: i + 1 }]
    )
  const found = [
    listed(body["citations"]),
    listed(body["search_results"]),
    listCitations(readObjects(annotations).map((note) => note["url_citation"] ?? note)),
    listCitations(readObjects(parts))
  ]
  const titles = new Map(found.flat().flatMap((one) => one.title === null ? [] : [[one.url, one.title]]))
  return (found.find((one) => one.length > 0) ?? []).map((one) => ({ ...one, title: titles.get(one.url) ?? null }))
}

const readUsage = (value: unknown): Usage => {
  const usage = readMembers(value) ?? {}
  const cost = usage["cost"]
  const searches = readTokens(usage["num_search_queries"])
  return {
    inputTokens: readTokens(usage["prompt_tokens"]),
    outputTokens: readTokens(usage["completion_tokens"]),
    // OpenRouter sends a number; Perplexity's models send an object with the total.
    costUsd: readDollars(cost) ?? readDollars(readMembers(cost)?.["total_cost"]),
    // Perplexity's models send this count when called through a gateway.
    ...(searches === null ? {} : { searches })
  }
}

/** Reads a 2xx body. The text is exactly what the platform sent, without the reasoning. */
export const readChatCompletion = (value: unknown): Verdict => {
  const body = readMembers(value)
  const raw = readCompletion(value)?.choices[0]
  const first = readChoice(raw)
  const inChoice = readMembers(raw)?.["error"]
  const error = inChoice !== undefined && inChoice !== null
    ? readWireError({ error: inChoice })
    : first === null && body !== null && Object.hasOwn(body, "error")
    ? readWireError(body)
    : null
  const usage = readUsage(body?.["usage"])
  if (error !== null) return { kind: "error", error, usage }
  if (body === null || first === null) return { kind: "wrongShape" }
  const { annotations, content, refusal } = first.message
  const parts = typeof content === "string" ? [] : content ?? []
  const texts = readObjects(parts).filter((part) => part["type"] === "text" || part["type"] === "output_text")
  const said = removeThinking(
    typeof content === "string" ? content : texts.map((part) => readString(part["text"]) ?? "").join("")
  )
  const declined = readNonEmptyString(refusal) ??
    readObjects(parts).flatMap((part) => readNonEmptyString(part["refusal"]) ?? [])[0] ?? null
  const finish = declined === null ? readFinish(finishByReason, first.finish_reason) : "refusal"
  // If the model declines in words, those words are the text that a reader sees
  const text = said.trim() === "" ? declined ?? "" : said
  if (text.trim() === "") {
    const refused = declined !== null || finish === "content_filter"
    return { kind: refused ? "refused" : "empty", detail: readNonEmptyString(first.finish_reason), usage }
  }
  return {
    kind: "answer",
    text,
    model: readModel(body["model"]),
    finish,
    usage,
    citations: readCitations(body, annotations, parts)
  }
}
