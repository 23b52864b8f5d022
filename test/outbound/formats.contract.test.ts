/** Details that are specific to each documented format: requests by option, pauses, reasoning, citations, errors. */
import { Effect, Exit } from "effect"
import { randomBytes } from "node:crypto"
import { createGzip } from "node:zlib"
import { describe, expect, it } from "vitest"
import { makeAnthropicMessages } from "../../packages/core/src/adapters/outbound/platforms/AnthropicMessages.ts"
import { makeGemini as geminiFormat } from "../../packages/core/src/adapters/outbound/platforms/Gemini.ts"
import { makeOpenAiCompatible } from "../../packages/core/src/adapters/outbound/platforms/OpenAiCompatible.ts"
import { makeOpenAiResponses } from "../../packages/core/src/adapters/outbound/platforms/OpenAiResponses.ts"
import { inTurn, makeFakePlatform, reply, type Script } from "../support/FakePlatform.ts"
import { platformFrom } from "./adapterCases.ts"
import { answerTo, ask, errorOf } from "./askAdapter.ts"
import * as anthropic from "./fixtures/anthropicMessages.ts"
import * as chat from "./fixtures/chatCompletions.ts"
import * as gemini from "./fixtures/gemini.ts"
import * as openAi from "./fixtures/openAiResponses.ts"
import * as perplexity from "./fixtures/perplexity.ts"

const errorTo = (adapter: string, status: number, body: unknown) => errorOf(adapter, reply(status, body))
const sent = async (adapter: string, fields: object) => {
  const { requests } = await ask(adapter, reply(500, "no"), fields)
  return { body: JSON.parse(requests[0]!.body) as unknown, headers: requests[0]!.headers }
}

describe("requests", () => {
  const location = { country: "DE", region: "Berlin", city: "Berlin" }
  const common = { systemPrompt: "Be brief.", maxOutputTokens: 900 }

  it.each([
    ["openai-responses", {}, { model: "test-model", input: "Best anvil?", store: false }],
    ["openai-responses", { ...common, webSearch: true, location: { ...location, timezone: "Europe/Berlin" } }, {
      model: "test-model",
      input: "Best anvil?",
      store: false,
      instructions: "Be brief.",
      max_output_tokens: 900,
      tools: [{ type: "web_search", user_location: { type: "approximate", ...location, timezone: "Europe/Berlin" } }],
      include: ["web_search_call.action.sources"]
    }],
    ["openai-responses", { webSearch: true, includeSources: false, maxSearches: 3 }, {
      model: "test-model",
      input: "Best anvil?",
      store: false,
      tools: [{ type: "web_search" }],
      max_tool_calls: 3
    }],
    ["anthropic-messages", {}, {
      model: "test-model",
      max_tokens: 16_384,
      messages: [{ role: "user", content: "Best anvil?" }]
    }],
    ["anthropic-messages", { ...common, webSearch: true, location, maxSearches: 3 }, {
      model: "test-model",
      max_tokens: 900,
      system: "Be brief.",
      messages: [{ role: "user", content: "Best anvil?" }],
      tools: [{
        type: "web_search_20250305",
        name: "web_search",
        max_uses: 3,
        user_location: { type: "approximate", ...location }
      }]
    }],
    ["gemini", {}, { contents: [{ role: "user", parts: [{ text: "Best anvil?" }] }] }],
    ["gemini", { ...common, webSearch: true, location: { latitude: 52.5, longitude: 13.4 }, language: "de" }, {
      contents: [{ role: "user", parts: [{ text: "Best anvil?" }] }],
      systemInstruction: { parts: [{ text: "Be brief." }] },
      generationConfig: { maxOutputTokens: 900 },
      tools: [{ googleSearch: {} }],
      toolConfig: { retrievalConfig: { latLng: { latitude: 52.5, longitude: 13.4 }, languageCode: "de" } }
    }],
    ["perplexity", { model: "perplexity/sonar" }, {
      model: "perplexity/sonar",
      input: "Best anvil?",
      store: false,
      tools: [{ type: "web_search" }],
      tool_choice: { type: "web_search" }
    }],
    ["perplexity", { ...common, model: "low", location, language: "de" }, {
      preset: "low",
      input: "Best anvil?",
      store: false,
      instructions: "Be brief.",
      max_output_tokens: 900,
      language_preference: "de",
      tools: [{ type: "web_search", user_location: location }],
      tool_choice: { type: "web_search" }
    }],
    ["perplexity", { model: "perplexity/sonar", forceSearch: false }, {
      model: "perplexity/sonar",
      input: "Best anvil?",
      store: false,
      tools: [{ type: "web_search" }]
    }],
    ["perplexity", { model: "perplexity/sonar", webSearch: false }, {
      model: "perplexity/sonar",
      input: "Best anvil?",
      store: false
    }],
    ["openai-compatible", common, {
      model: "test-model",
      messages: [{ role: "system", content: "Be brief." }, { role: "user", content: "Best anvil?" }],
      max_tokens: 900
    }]
  ])("the request of %s contains the options %j", async (adapter, fields, body) => {
    expect((await sent(adapter, fields)).body).toEqual(body)
  })

  it.each([
    ["openai-responses", {}, "off"],
    ["openai-responses", { webSearch: true }, "offered"],
    ["anthropic-messages", { webSearch: true }, "offered"],
    ["gemini", {}, "off"],
    ["gemini", { webSearch: true }, "offered"],
    ["perplexity", { model: "perplexity/sonar" }, "required"],
    ["openai-compatible", {}, undefined]
  ])("answers of %s with %j are archived with search %s", async (adapter, fields, search) => {
    const bodies: Record<string, unknown> = {
      "openai-responses": openAi.answer("Acme."),
      "anthropic-messages": anthropic.answer("Acme."),
      gemini: gemini.answer("Acme."),
      perplexity: perplexity.answer("Acme."),
      "openai-compatible": chat.answer("Acme.")
    }
    expect((await answerTo(adapter, bodies[adapter], fields)).search).toBe(search)
  })

  it("if a gateway does not support the requested sources, the error names the setting to change", async () => {
    const error = await errorTo("openai-responses", 400, {
      error: { message: "Unknown parameter: 'include'.", type: "invalid_request_error", code: null }
    })
    expect(error.message).toMatch(/Unknown parameter: 'include'\.; set includeSources to false/)
  })

  it("a request has the configured headers, and otherwise only those that its format requires", async () => {
    const fields = { headers: { "anthropic-beta": "some-2026-01-01", "X-Title": "sov" } }
    const { headers } = await sent("anthropic-messages", fields)
    expect(headers).toMatchObject({ "anthropic-beta": "some-2026-01-01", "x-title": "sov" })
    expect(Object.keys(headers).sort()).toEqual([
      "accept",
      "accept-encoding",
      "anthropic-beta",
      "anthropic-version",
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
      "x-api-key",
      "x-title"
    ])
  })

  it("a Gemini model can be given with or without its collection, but must not leave the path", async () => {
    for (const [model, path] of [["models/g-1", "models/g-1"], ["../x?y", "models/..%2Fx%3Fy"]]) {
      const { requests } = await ask("gemini", reply(500, "no"), { model })
      expect(requests[0]?.path).toBe(`/v1/${path}:generateContent`)
    }
  })
})

describe("anthropic-messages: pauses", () => {
  it("a paused call continues: the paused turn is sent back, and the parts become one answer", async () => {
    const again = { ...anthropic.paused, content: anthropic.withCitations.content.slice(0, 2) }
    const bodies = [anthropic.paused, again, anthropic.resumed]
    const { exit, requests } = await ask("anthropic-messages", inTurn(bodies.map((body) => reply(200, body))), {
      webSearch: true
    })
    if (Exit.isFailure(exit)) throw new Error(JSON.stringify(exit))
    expect(exit.value).toMatchObject({
      text: "Let me look that up.\n\nAcme leads.",
      finish: "stop",
      citations: [{ url: "https://example.org/anvils", position: 1 }],
      usage: { inputTokens: 3 * 6139, outputTokens: 3 * 931, requests: 3 }
    })
    const payload = Buffer.from(exit.value.payload).toString().split("\n")
    expect(payload).toEqual(bodies.map((body) => JSON.stringify(body)))
    const messages = requests.map(({ body }) => (JSON.parse(body) as { messages: unknown }).messages)
    const user = { role: "user", content: "Best anvil?" }
    expect(messages).toEqual([
      [user],
      [user, { role: "assistant", content: anthropic.paused.content }],
      [user, { role: "assistant", content: [...anthropic.paused.content, ...again.content] }]
    ])
    for (const { body } of requests) expect(JSON.parse(body)).toHaveProperty("tools")
  })

  it("a paused call is continued only a limited number of times", async () => {
    const { exit, requests } = await ask("anthropic-messages", reply(200, anthropic.paused))
    expect(Effect.runSync(Effect.flip(exit))).toMatchObject({ reason: "unavailable", retryable: true })
    expect(requests).toHaveLength(9)
  })

  it("all bodies of a paused call share one size limit and one deadline", async () => {
    const once = JSON.stringify(anthropic.paused).length
    const over = await ask("anthropic-messages", reply(200, anthropic.paused), { maxAnswerBytes: 3 * once + 1 })
    expect(Effect.runSync(Effect.flip(over.exit)).reason).toBe("too_large")
    expect(over.requests).toHaveLength(4)
    const slow: Script = (response, request) =>
      void setTimeout(() => reply(200, anthropic.paused)(response, request), 150)
    const late = await ask("anthropic-messages", slow, { timeout: "1 second" })
    expect(Effect.runSync(Effect.flip(late.exit)).reason).toBe("timeout")
    expect(late.requests.length).toBeGreaterThan(1)
  })

  it("a paused call that cannot continue fails with the reply that it got", async () => {
    const { exit } = await ask(
      "anthropic-messages",
      inTurn([reply(200, anthropic.paused), reply(529, anthropic.error(529, "Overloaded"))])
    )
    expect(Effect.runSync(Effect.flip(exit))).toMatchObject({ reason: "unavailable", status: 529 })
  })
})

describe("text that is not the answer", () => {
  it("reasoning is removed, however a provider sends it", async () => {
    for (const body of [chat.xai, chat.mistral, chat.deepSeek, chat.openRouter, chat.ollama]) {
      expect((await answerTo("openai-compatible", body)).text).toBe("Acme leads.")
    }
    expect((await answerTo("openai-compatible", chat.vllm)).text).toBe("\n\nAcme leads.")
    expect((await answerTo("openai-compatible", chat.vllmUnopened)).text).toBe("\n\nAcme leads.")
  })

  it("tags that belong to the answer are kept", async () => {
    for (const text of ["Write <think> first.\n</think>\n ends it.", "Close with `</think>`.", "a </think> b"]) {
      expect((await answerTo("openai-compatible", chat.answer(text))).text).toBe(text)
    }
  })

  it("commentary is used as the text only if there is no other text", async () => {
    const output = openAi.severalParts.output.slice(0, 2)
    expect((await answerTo("openai-responses", { ...openAi.severalParts, output })).text)
      .toBe("I will search the web first.")
  })

  it("a missing text gets the right reason", async () => {
    expect((await errorTo("anthropic-messages", 200, anthropic.refusal)).message).toContain("blocked under the usage")
    expect((await errorTo("gemini", 200, gemini.refusal)).message).toContain("PROHIBITED_CONTENT")
    expect((await errorTo("gemini", 200, gemini.safety)).message).toContain("SAFETY")
    for (
      const [adapter, body] of [
        ["openai-responses", openAi.onlyReasoning],
        ["anthropic-messages", anthropic.onlyReasoning],
        ["gemini", gemini.onlyReasoning],
        ["perplexity", perplexity.onlyReasoning]
      ] as const
    ) {
      expect((await errorTo(adapter, 200, body)).message).toMatch(
        /without text \(.+\); a higher maxOutputTokens may help/
      )
    }
  })

  it("a text that was cut off by a filter is an answer", async () => {
    expect(await answerTo("gemini", gemini.continuation)).toMatchObject({ text: "Acme is the", finish: "length" })
    expect(await answerTo("gemini", gemini.recitation)).toMatchObject({ text: "Acme is", finish: "content_filter" })
    const filtered = { ...openAi.length, incomplete_details: { reason: "content_filter" } }
    expect(await answerTo("openai-responses", filtered)).toMatchObject({
      text: "Acme is the",
      finish: "content_filter"
    })
    const partly = {
      ...openAi.answer(""),
      output: [{
        type: "message",
        content: [{ type: "output_text", text: "So far." }, { type: "refusal", refusal: "No more." }]
      }]
    }
    expect(await answerTo("openai-responses", partly)).toMatchObject({
      text: "So far.\n\nNo more.",
      finish: "refusal"
    })
  })

  it("a reply without candidates is treated like a reply without text", async () => {
    const { candidates: _, ...rest } = gemini.answer("")
    expect((await errorTo("gemini", 200, rest)).reason).toBe("empty")
  })
})

describe("citations", () => {
  it("every Gemini chunk is cited if no support refers to a chunk, except chunks that are not web pages", async () => {
    const [candidate] = gemini.withCitations.candidates
    const { groundingSupports: _, ...groundingMetadata } = candidate.groundingMetadata
    const chunks = [{ web: { uri: "javascript:alert(1)", title: "x" } }, ...groundingMetadata.groundingChunks, {}, null]
    const body = {
      ...gemini.withCitations,
      candidates: [{ ...candidate, groundingMetadata: { ...groundingMetadata, groundingChunks: chunks } }]
    }
    expect((await answerTo("gemini", body)).citations.map(({ position }) => position)).toEqual([2, 3, 4])
  })

  it("citations are read from where each provider of chat completions puts them", async () => {
    const cited = async (body: unknown) => (await answerTo("openai-compatible", body)).citations
    expect(await cited(chat.xai)).toHaveLength(2)
    expect(await cited(chat.openRouter)).toEqual([
      { url: "https://example.org/anvils", title: "Anvils compared", position: 1 }
    ])
    expect(await cited(chat.mistral)).toEqual(await cited(chat.openRouter))
    expect(await cited(chat.ollama)).toEqual([])
  })

  it("hostile citations are cleaned", async () => {
    const annotations = [
      { type: "url_citation", url: "https://example.org/\0", title: "a\0\uD800" },
      { type: "url_citation", url: "data:text/html,x", title: "no" },
      { type: "url_citation", url: `https://example.org/${"x".repeat(9000)}` },
      { type: "file_citation", file_id: "f" },
      "https://example.org/b",
      null
    ]
    const body = {
      ...openAi.answer(""),
      output: [{ type: "message", content: [{ type: "output_text", text: "Acme.", annotations }] }]
    }
    expect((await answerTo("openai-responses", body)).citations).toEqual([
      { url: "https://example.org/\uFFFD", title: "a\uFFFD\uFFFD", position: 1 }
    ])
  })
})

describe("bodies with a million citations", () => {
  const page = (i: number) => ({ url: `https://example.org/${i}`, title: "x" })
  const many = <A>(make: (i: number) => A) => Array.from({ length: 1_000_000 }, (_, i) => make(i))
  const openAiBody = () => ({
    output: [{ type: "message", content: [{ type: "output_text", text: "Acme.", annotations: many(page) }] }]
  })
  const geminiBody = () => ({
    candidates: [{
      content: { parts: [{ text: "Acme." }] },
      groundingMetadata: {
        groundingChunks: many((i) => ({ web: { uri: `https://example.org/${i}` } })),
        groundingSupports: many((i) => ({ groundingChunkIndices: [i] }))
      }
    }]
  })
  const chatBody = (member: string) => () => ({ ...chat.answer("Acme."), [member]: many(page) })
  it.each([
    ["openai-responses", makeOpenAiResponses({} as never), openAiBody],
    ["anthropic-messages", makeAnthropicMessages({} as never), () => ({
      content: [{ type: "text", text: "Acme.", citations: many(page) }]
    })],
    ["gemini", geminiFormat({ model: "m" } as never), geminiBody],
    ["openai-compatible", makeOpenAiCompatible({} as never), chatBody("citations")],
    ["openai-compatible", makeOpenAiCompatible({} as never), chatBody("search_results")]
  ])("a reply of %s with too many sources is an answer with the first 500", (_, format, bodyOf) => {
    const verdict = format.read(bodyOf(), [])
    if (verdict.kind !== "answer") throw new Error(verdict.kind)
    expect(verdict.text).toBe("Acme.")
    expect(verdict.citations).toHaveLength(500)
  })
})

describe("usage and finish that are missing", () => {
  it("missing usage and finish reason stay missing", async () => {
    expect(await answerTo("openai-compatible", chat.ollama)).toMatchObject({
      finish: "other",
      model: "llama3.2",
      usage: { inputTokens: null, outputTokens: null, costUsd: null }
    })
    const bare: ReadonlyArray<readonly [string, unknown]> = [
      ["openai-responses", { output: [{ type: "message", content: [{ type: "output_text", text: "Acme." }] }] }],
      ["anthropic-messages", { content: [{ type: "text", text: "Acme." }] }],
      ["gemini", { candidates: [{ content: { parts: [{ text: "Acme." }] } }] }]
    ]
    for (const [adapter, body] of bare) {
      expect(await answerTo(adapter, body)).toMatchObject({
        text: "Acme.",
        finish: "other",
        model: "test-model",
        citations: [],
        usage: { inputTokens: null, outputTokens: null, costUsd: null }
      })
    }
    expect((await answerTo("openai-compatible", chat.openRouter)).usage.costUsd).toBe(0.0021)
  })
})

it("a compressed body is read only up to its limit", async () => {
  const test = Effect.gen(function*() {
    const fake = yield* makeFakePlatform((response) => {
      response.writeHead(200, { "content-encoding": "gzip" })
      const zip = createGzip({ level: 1 })
      zip.pipe(response)
      const timer = setInterval(() => zip.write(randomBytes(20_000).toString("hex")), 1)
      response.on("close", () => clearInterval(timer))
    })
    const platform = platformFrom("openai-compatible", fake.baseUrl, { maxAnswerBytes: 65_536 })
    const error = yield* Effect.flip(platform.ask("x"))
    yield* fake.aborted
    return error.reason
  })
  expect(await Effect.runPromise(Effect.scoped(test))).toBe("too_large")
})
