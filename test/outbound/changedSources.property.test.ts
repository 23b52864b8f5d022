/**
 * Providers that change the shape of their sources, or send hostile ones: an answer is never lost because of its
 * sources.
 */
import { Citation, deriveSources, type Source } from "@sov/core"
import { Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeAnthropicMessages } from "../../packages/core/src/adapters/outbound/platforms/AnthropicMessages.ts"
import { makeGemini } from "../../packages/core/src/adapters/outbound/platforms/Gemini.ts"
import { makeOpenAiCompatible } from "../../packages/core/src/adapters/outbound/platforms/OpenAiCompatible.ts"
import { makeOpenAiResponses } from "../../packages/core/src/adapters/outbound/platforms/OpenAiResponses.ts"
import { makePerplexity } from "../../packages/core/src/adapters/outbound/platforms/Perplexity.ts"
import { propertyRuns } from "../support/propertyRuns.ts"

const text = "Acme leads.[1] Initech follows.[web:2]"

/** For each format, its reader, and a body with this text whose sources are `sources`. */
const formats = [
  ["openai-responses: notes", makeOpenAiResponses({} as never), (sources: unknown) => ({
    status: "completed",
    output: [{ type: "message", content: [{ type: "output_text", text, annotations: sources }] }]
  })],
  ["openai-responses: search", makeOpenAiResponses({} as never), (sources: unknown) => ({
    status: "completed",
    output: [
      { type: "web_search_call", action: sources },
      { type: "message", content: [{ type: "output_text", text }] }
    ]
  })],
  ["anthropic-messages", makeAnthropicMessages({} as never), (sources: unknown) => ({
    stop_reason: "end_turn",
    content: [{ type: "web_search_tool_result", content: sources }, { type: "text", text, citations: sources }]
  })],
  ["gemini", makeGemini({ model: "m" } as never), (sources: unknown) => ({
    candidates: [{ content: { parts: [{ text }] }, finishReason: "STOP", groundingMetadata: sources }]
  })],
  ["gemini: chunks", makeGemini({ model: "m" } as never), (sources: unknown) => ({
    candidates: [{
      content: { parts: [{ text }] },
      finishReason: "STOP",
      groundingMetadata: { groundingChunks: sources, groundingSupports: sources, webSearchQueries: sources }
    }]
  })],
  ["perplexity", makePerplexity({ model: "m" } as never), (sources: unknown) => ({
    status: "completed",
    output: [
      { type: "search_results", results: sources, queries: sources },
      { type: "message", content: [{ type: "output_text", text, annotations: sources }] }
    ]
  })],
  ["openai-compatible", makeOpenAiCompatible({} as never), (sources: unknown) => ({
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
  it("an answer keeps its text whatever its sources are, and cites web addresses in ascending order of position", () => {
    fc.assert(
      fc.property(sources, (given) => {
        // As it arrives, that is, parsed from JSON
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
      { numRuns: propertyRuns(300) }
    )
  })
})

const derive = (adapter: string, body: unknown) =>
  deriveSources({ adapter, text, payload: new TextEncoder().encode(JSON.stringify(body)), citations: [] })
const isNamed = ({ kind }: Source) => kind !== "in_text"

describe.each(formats)("%s", (name, _, bodyOf) => {
  const adapter = name.replace(/:.*/, "")
  /** Whether the value is something that a provider may send if it names no sources. */
  const isNone = (given: unknown): boolean =>
    given === null || given === "" || (typeof given === "object" && Object.values(given).every(isNone))

  it("a changed list that names no readable page is never reported as complete", () => {
    fc.assert(
      fc.property(sources, (given) => {
        // As it arrives: values that JSON cannot express, such as infinity, arrive as null
        const [arrived = null] = JSON.parse(JSON.stringify([given]))
        const { sources: found, status } = derive(adapter, bodyOf(arrived))
        expect(status === "complete" && !found.some(isNamed) && !isNone(arrived)).toBe(false)
      }),
      { numRuns: propertyRuns(300), examples: [[Number.POSITIVE_INFINITY]] }
    )
  })
})

const page = "https://a.example/a"
const message = (part: object) => ({ type: "message", content: [{ type: "output_text", text, ...part }] })
const openAiSearch = (search: object, part: object = { annotations: [] }) => ({
  output: [{ type: "web_search_call", ...search }, message(part)]
})
const anthropic = (...blocks: ReadonlyArray<object>) => ({ content: [...blocks, { type: "text", text }] })
const query = { type: "server_tool_use", name: "web_search", input: { query: "anvil" } }
const gemini = (candidate: object, more: object = {}) => ({
  candidates: [{ content: { parts: [{ text }] }, ...candidate }],
  ...more
})
const chunk = { web: { uri: page, title: "a.example" } }
const agent = (...items: ReadonlyArray<object>) => ({ output: [...items, message({ annotations: [] })] })

it.each<[adapter: string, what: string, body: object]>([
  ["openai-responses", "a note's url under another name", {
    output: [message({ annotations: [{ type: "url_citation", uri: page }] })]
  }],
  ["openai-responses", "notes as an object", { output: [message({ annotations: { 0: { url: page } } })] }],
  [
    "openai-responses",
    "notes under another name",
    openAiSearch({ action: { sources: [{ type: "url", url: page }] } }, { notes: [] })
  ],
  ["openai-responses", "sources as an object", openAiSearch({ action: { sources: { url: page } } })],
  [
    "openai-responses",
    "sources with urls under another name",
    openAiSearch({ action: { sources: [{ type: "url", link: page }] } })
  ],
  ["openai-responses", "a search that failed", openAiSearch({ status: "failed", action: { type: "search" } })],
  ["anthropic-messages", "results as a string", anthropic(query, { type: "web_search_tool_result", content: page })],
  [
    "anthropic-messages",
    "results as an object",
    anthropic(query, { type: "web_search_tool_result", content: { url: page } })
  ],
  [
    "anthropic-messages",
    "results with urls under another name",
    anthropic(query, { type: "web_search_tool_result", content: [{ link: page }] })
  ],
  [
    "anthropic-messages",
    "results in a block of another type",
    anthropic(query, { type: "search_result", content: [{ url: page }] })
  ],
  ["anthropic-messages", "a charged search without any block of it", {
    ...anthropic(),
    usage: { server_tool_use: { web_search_requests: 1 } }
  }],
  ["anthropic-messages", "citations as a string", anthropic({ type: "text", text, citations: page })],
  [
    "anthropic-messages",
    "citations with urls under another name",
    anthropic({ type: "text", text, citations: [{ type: "web_search_result_location", link: page }] })
  ],
  ["gemini", "chunks as an object", gemini({ groundingMetadata: { groundingChunks: { 0: chunk } } })],
  [
    "gemini",
    "chunks under another name",
    gemini({ groundingMetadata: { webSearchQueries: ["anvil"], chunks: [chunk] } })
  ],
  [
    "gemini",
    "chunks with addresses under another name",
    gemini({ groundingMetadata: { groundingChunks: [{ web: { url: page } }] } })
  ],
  [
    "gemini",
    "supports as an object",
    gemini({ groundingMetadata: { groundingChunks: [chunk], groundingSupports: { 0: {} } } })
  ],
  ["gemini", "metadata under another name", gemini({ groundingInfo: { groundingChunks: [chunk] } })],
  [
    "gemini",
    "a tool's tokens without metadata",
    gemini({ sources: [chunk] }, { usageMetadata: { toolUsePromptTokenCount: 90 } })
  ],
  ["perplexity", "results as an object", agent({ type: "search_results", results: { 1: { url: page } } })],
  ["perplexity", "results under another name", agent({ type: "search_results", items: [{ url: page }] })],
  [
    "perplexity",
    "results with urls under another name",
    agent({ type: "search_results", results: [{ id: 1, link: page }] })
  ],
  ["perplexity", "a charged search without results", {
    ...agent(),
    usage: { tool_calls_details: { search_web: { invocation: 1 } } }
  }],
  ["perplexity", "Sonar's list as an object", { choices: [{ message: { content: text } }], citations: { 1: page } }],
  ["openai-compatible", "notes with urls under another name", {
    choices: [{ message: { content: text, annotations: [{ type: "url_citation", url_citation: { link: page } }] } }]
  }]
])("the sources of %s are reported as unreadable for %s", (adapter, _, body) => {
  expect(derive(adapter, body).status).toBe("unreadable")
})

it.each<[adapter: string, what: string, body: object]>([
  [
    "openai-responses",
    "a search that used an API of the provider's own",
    openAiSearch({ action: { sources: [{ type: "api", name: "oai-weather" }] } })
  ],
  [
    "openai-responses",
    "a search without included sources",
    openAiSearch({ action: { type: "search", query: "anvil" } })
  ],
  ["openai-responses", "no search, and a note of a file", {
    output: [message({ annotations: [{ type: "file_citation", file_id: "f" }] })]
  }],
  ["anthropic-messages", "a search without results", anthropic(query, { type: "web_search_tool_result", content: [] })],
  ["anthropic-messages", "no search", { ...anthropic(), usage: { server_tool_use: { web_search_requests: 0 } } }],
  ["gemini", "an answer that was not grounded", gemini({ groundingMetadata: {} })],
  [
    "gemini",
    "a search that was found unnecessary",
    gemini({ groundingMetadata: { retrievalMetadata: { googleSearchDynamicRetrievalScore: 0.1 } } })
  ],
  [
    "gemini",
    "chunks of documents alone",
    gemini({ groundingMetadata: { groundingChunks: [{ retrievedContext: { uri: "gs://a/b" } }] } })
  ],
  ["perplexity", "a search without results", agent({ type: "search_results", results: [] })],
  ["openai-compatible", "an empty list", { choices: [{ message: { content: text } }], citations: [] }]
])("the sources of %s are known to be empty for %s", (adapter, _, body) => {
  expect(derive(adapter, body)).toMatchObject({ status: "complete", sources: [] })
})
