/**
 * The Gemini API: `POST /models/{model}:generateContent`.
 *
 * Format: https://ai.google.dev/api/generate-content, grounding with Google Search and its metadata
 * https://ai.google.dev/gemini-api/docs/google-search, errors
 * https://ai.google.dev/gemini-api/docs/troubleshooting (all read 2026-11).
 */
import type { Citation, Finish, Usage } from "../../../domain/archive/Answer.ts"
import type { GeminiBinding } from "./bindings.ts"
import { readEndDay } from "./endOfLife.ts"
import {
  makeUnpricedUsage,
  maxCitations,
  maxExaminedEntries,
  readFinish,
  readList,
  readMembers,
  readModel,
  readNonEmptyString,
  readObjects,
  readSource,
  readString,
  sumTokens
} from "./readJson.ts"
import { readWireError } from "./wireError.ts"
import type { Verdict, WireFormat } from "./wireFormat.ts"

/** Builds the request body. */
const makeGenerateContentBody = (binding: GeminiBinding, prompt: string) => ({
  contents: [{ role: "user" as const, parts: [{ text: prompt }] }],
  ...(binding.systemPrompt === undefined ? {} : { systemInstruction: { parts: [{ text: binding.systemPrompt }] } }),
  ...(binding.maxOutputTokens === undefined
    ? {}
    : { generationConfig: { maxOutputTokens: binding.maxOutputTokens } }),
  ...(binding.webSearch ? { tools: [{ googleSearch: {} }] } : {}),
  ...(binding.location === undefined && binding.language === undefined
    ? {}
    : {
      toolConfig: {
        retrievalConfig: {
          ...(binding.location === undefined ? {} : { latLng: binding.location }),
          ...(binding.language === undefined ? {} : { languageCode: binding.language })
        }
      }
    })
})
/** The request body. */
export type GenerateContentRequest = ReturnType<typeof makeGenerateContentBody>

const finishByReason: Readonly<Record<string, Finish>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  // The reply could be continued with its `continuationToken`, so its text is not the whole answer
  CONTINUATION: "length",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  LANGUAGE: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  IMAGE_SAFETY: "content_filter"
}

/**
 * Returns the grounding chunks that a grounding support links to the text, or all chunks if there are no supports. Each
 * keeps its position in the platform's own list, which the documentation's inline `[n]` refers to.
 */
const readCitations = (metadata: unknown): ReadonlyArray<Citation> => {
  const grounding = readMembers(metadata)
  const used = new Set(
    readObjects(grounding?.["groundingSupports"]).flatMap((one) => readList(one["groundingChunkIndices"]))
  )
  return readList(grounding?.["groundingChunks"]).slice(0, maxExaminedEntries).flatMap((chunk, i) => {
    const web = used.size > 0 && !used.has(i) ? null : readMembers(readMembers(chunk)?.["web"])
    const source = web === null ? null : readSource({ url: web["uri"], title: web["title"] })
    return source === null ? [] : [{ ...source, position: i + 1 }]
  }).slice(0, maxCitations)
}

const readUsage = (value: unknown, grounding: unknown): Usage => {
  const usage = readMembers(value)
  return makeUnpricedUsage(
    sumTokens(usage?.["promptTokenCount"], usage?.["toolUsePromptTokenCount"]),
    sumTokens(usage?.["candidatesTokenCount"], usage?.["thoughtsTokenCount"]),
    // Empty queries are listed but not charged
    readList(readMembers(grounding)?.["webSearchQueries"]).filter((query) => readNonEmptyString(query)?.trim()).length
  )
}

const readGenerateContent = (value: unknown): Verdict => {
  const body = readMembers(value)
  const error = readWireError(value)
  if (body === null || error !== null) return error === null ? { kind: "wrongShape" } : { kind: "error", error }
  const blocked = readNonEmptyString(readMembers(body["promptFeedback"])?.["blockReason"])
  const candidate = readObjects(body["candidates"])[0]
  const usage = readUsage(body["usageMetadata"], candidate?.["groundingMetadata"])
  if (candidate === undefined) {
    if (blocked !== null) return { kind: "refused", detail: blocked, usage }
    // A reply without candidates still reports its usage.
    return readMembers(body["usageMetadata"]) === null ? { kind: "wrongShape" } : { kind: "empty", detail: null, usage }
  }
  const said = readNonEmptyString(candidate["finishReason"])
  const content = readMembers(candidate["content"])
  if (content === null && said === null) return { kind: "wrongShape" }
  const finish = readFinish(finishByReason, said)
  const text = readObjects(content?.["parts"]).map((part) =>
    part["thought"] === true ? "" : readString(part["text"]) ?? ""
  )
    .join("")
  if (text.trim() === "") {
    const kind = finish === "content_filter" || blocked !== null ? "refused" : "empty"
    return { kind, detail: said ?? blocked, usage }
  }
  return {
    kind: "answer",
    text,
    endsOn: readEndDay(readMembers(body["modelStatus"])?.["retirementTime"]),
    model: readModel(body["modelVersion"]),
    finish,
    usage,
    citations: readCitations(candidate["groundingMetadata"])
  }
}

export const makeGemini = (binding: GeminiBinding): WireFormat => ({
  search: binding.webSearch ? "offered" : "off",
  promises: ["finish", "tokens", "sources"],
  path: `/models/${encodeURIComponent(binding.model.replace(/^models\//, ""))}:generateContent`,
  headers: (key) => (key === null ? {} : { "x-goog-api-key": key }),
  body: (prompt) => makeGenerateContentBody(binding, prompt),
  read: readGenerateContent
})
