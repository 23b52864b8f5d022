/** Providers that change the shape of their sources, or send hostile ones: an answer is never lost for its sources. */
import { Citation } from "@sov/core"
import { Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { anthropicMessages } from "../../packages/core/src/adapters/outbound/platforms/AnthropicMessages.ts"
import { gemini } from "../../packages/core/src/adapters/outbound/platforms/Gemini.ts"
import { openAiCompatible } from "../../packages/core/src/adapters/outbound/platforms/OpenAiCompatible.ts"
import { openAiResponses } from "../../packages/core/src/adapters/outbound/platforms/OpenAiResponses.ts"
import { perplexity } from "../../packages/core/src/adapters/outbound/platforms/Perplexity.ts"

const text = "Acme leads.[1] Initech follows.[web:2]"

/** The reader of each format, and a body with this text whose sources are `sources`. */
const formats = [
  ["openai-responses: notes", openAiResponses({} as never), (sources: unknown) => ({
    status: "completed",
    output: [{ type: "message", content: [{ type: "output_text", text, annotations: sources }] }]
  })],
  ["openai-responses: search", openAiResponses({} as never), (sources: unknown) => ({
    status: "completed",
    output: [
      { type: "web_search_call", action: sources },
      { type: "message", content: [{ type: "output_text", text }] }
    ]
  })],
  ["anthropic-messages", anthropicMessages({} as never), (sources: unknown) => ({
    stop_reason: "end_turn",
    content: [{ type: "web_search_tool_result", content: sources }, { type: "text", text, citations: sources }]
  })],
  ["gemini", gemini({ model: "m" } as never), (sources: unknown) => ({
    candidates: [{ content: { parts: [{ text }] }, finishReason: "STOP", groundingMetadata: sources }]
  })],
  ["gemini: chunks", gemini({ model: "m" } as never), (sources: unknown) => ({
    candidates: [{
      content: { parts: [{ text }] },
      finishReason: "STOP",
      groundingMetadata: { groundingChunks: sources, groundingSupports: sources, webSearchQueries: sources }
    }]
  })],
  ["perplexity", perplexity({ model: "m" } as never), (sources: unknown) => ({
    status: "completed",
    output: [
      { type: "search_results", results: sources, queries: sources },
      { type: "message", content: [{ type: "output_text", text, annotations: sources }] }
    ]
  })],
  ["openai-compatible", openAiCompatible({} as never), (sources: unknown) => ({
    choices: [{ message: { content: text, annotations: sources }, finish_reason: "stop" }],
    citations: sources,
    search_results: sources
  })]
] as const

const hostile = fc.constantFrom(
  "javascript:alert(1)",
  `https://a.example/${"x".repeat(8_193)}`,
  "https://a.example/\u001b[2J",
  "https://a.example/\u202Egpj.exe",
  "https://a.example/",
  "http://[",
  "",
  "=1+1"
)
const scalar = fc.oneof(hostile, fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
const entry = fc.dictionary(
  fc.constantFrom("url", "uri", "title", "id", "web", "type", "url_citation", "groundingChunkIndices", "content", "x"),
  fc.oneof(scalar, fc.array(scalar), fc.dictionary(fc.constantFrom("url", "uri", "title"), scalar))
)
const sources = fc.oneof(scalar, entry, fc.array(fc.oneof(scalar, entry), { maxLength: 30 }), fc.jsonValue())

const isCitation = Schema.is(Citation)

describe.each(formats)("%s", (_, format, bodyOf) => {
  it("keeps the text whatever its sources are, and cites web addresses in rising places", () => {
    fc.assert(
      fc.property(sources, (given) => {
        // As it arrives: parsed from JSON
        const verdict = format.read(JSON.parse(JSON.stringify(bodyOf(given))), [])
        if (verdict.kind !== "answer") throw new Error(verdict.kind)
        expect(verdict).toMatchObject({ text, finish: "stop" })
        expect(verdict.citations.every(isCitation)).toBe(true)
        verdict.citations.reduce((last, { position, url }) => {
          expect(position).toBeGreaterThan(last)
          expect(url).toMatch(/^https?:/i)
          expect(url.length).toBeLessThanOrEqual(8_192)
          return position
        }, 0)
      }),
      { numRuns: 300 }
    )
  })
})
