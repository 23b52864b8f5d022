/**
 * Providers that use another provider's format are asked with their own key header and search tool, and their replies
 * are read completely.
 */
import { deriveSources, type ProviderName, providers } from "@sov/core"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { makeFakePlatform, reply } from "../support/FakePlatform.ts"
import { mistralCase, platformFrom } from "./adapterCases.ts"
import * as anthropic from "./fixtures/anthropicMessages.ts"
import * as openAi from "./fixtures/openAiResponses.ts"

/** Asks a fake server as this provider; returns what was sent and the outcome. */
const askProvider = (name: ProviderName, body: unknown, more: object = {}, status = 200) =>
  Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const fake = yield* makeFakePlatform(reply(status, body))
    const { adapter, ...entry } = providers[name].binding
    const platform = platformFrom(
      adapter,
      fake.baseUrl,
      { ...entry, model: "m", baseUrl: fake.baseUrl, ...more },
      "key-1"
    )
    const exit = yield* Effect.exit(platform.ask("Best anvil?"))
    const [request] = fake.requests
    return {
      exit,
      headers: request!.headers,
      path: request!.path,
      sent: JSON.parse(request!.body) as Record<string, unknown>
    }
  })))

const answerOf = <A, E>(exit: Exit.Exit<A, E>): A => {
  if (Exit.isFailure(exit)) throw new Error(JSON.stringify(exit))
  return exit.value
}
const sourcesOf = (adapter: string, body: unknown, text: string) =>
  deriveSources({ adapter, payload: Buffer.from(JSON.stringify(body)), text, citations: [] })

const answered = openAi.answer("Acme.") as object

describe("xai", () => {
  it("the cost of a reply is read from its ticks, and includes tools", async () => {
    const { exit, headers, path } = await askProvider("xai", {
      ...answered,
      usage: { input_tokens: 1_000, output_tokens: 200, cost_in_usd_ticks: 37_756_000 }
    })
    expect(answerOf(exit).usage).toMatchObject({ inputTokens: 1_000, outputTokens: 200, costUsd: 0.0037756 })
    expect([path, headers["authorization"]]).toEqual(["/v1/responses", "Bearer key-1"])
  })

  it("the cost is unknown if the ticks are not a number", async () => {
    for (const cost_in_usd_ticks of ["1", -1, null, Number.MAX_VALUE]) {
      const { exit } = await askProvider("xai", { ...answered, usage: { cost_in_usd_ticks } })
      expect(answerOf(exit).usage.costUsd).toBeNull()
    }
  })
})

describe("azure", () => {
  it("the key is sent only in the header api-key", async () => {
    const { headers, path } = await askProvider("azure", answered)
    expect([path, headers["api-key"], headers["authorization"]]).toEqual(["/v1/responses", "key-1", undefined])
  })
})

describe("openrouter", () => {
  const found = {
    ...answered,
    output: [
      {
        type: "openrouter:web_search",
        id: "st_1",
        status: "completed",
        action: { type: "search", query: "best anvil", sources: [{ type: "url", url: "https://example.org/anvils" }] }
      },
      ...(answered as { output: ReadonlyArray<object> }).output
    ],
    usage: { input_tokens: 10, output_tokens: 20, cost: 0.0123 }
  }

  it("the engine is sent with the router's own search tool", async () => {
    const { exit, sent } = await askProvider("openrouter", answered, { searchEngine: "exa", maxSearches: 2 })
    expect(sent["tools"]).toEqual([{ type: "openrouter:web_search", parameters: { engine: "exa", max_uses: 2 } }])
    expect(answerOf(exit).market).toEqual({ country: null, language: null, search_engine: "exa" })
    expect(sent).not.toHaveProperty("include")
    expect(sent).not.toHaveProperty("max_tool_calls")
  })

  it("the place and persona in the settings are part of the answer, the persona as a hash", async () => {
    const { exit } = await askProvider("xai", answered, {
      systemPrompt: "You buy for a bakery.",
      location: { country: "DE", city: "Berlin" }
    })
    const { market } = answerOf(exit)
    expect(market).toMatchObject({ country: "DE", language: null, place: "Berlin" })
    expect(market?.persona).toMatch(/^[0-9a-f]{12}$/)
  })

  it("searches, with their queries and pages, and the cost are read", async () => {
    const { exit } = await askProvider("openrouter", found)
    expect(answerOf(exit).usage).toMatchObject({ costUsd: 0.0123, searches: 1 })
    expect(sourcesOf("openai-responses", found, "Acme.")).toMatchObject({
      queries: ["best anvil"],
      sources: [{ kind: "retrieved", url: "https://example.org/anvils" }]
    })
  })
})

describe("deepseek", () => {
  it("the key is sent in x-api-key, and the search tool is the one that the service supports", async () => {
    const { headers, path, sent } = await askProvider("deepseek", anthropic.answer("Acme."))
    expect([path, headers["x-api-key"]]).toEqual(["/v1/messages", "key-1"])
    expect(sent["tools"]).toEqual([{ type: "web_search_20250305", name: "web_search" }])
  })

  it("queries are read although the tool has a different name", () => {
    const body = JSON.parse(
      JSON.stringify(anthropic.withCitations).replaceAll("\"name\":\"web_search\"", "\"name\":\"deepseek_web_search\"")
    ) as unknown
    const text = "Based on the results, Acme leads and Initech follows."
    const own = sourcesOf("anthropic-messages", body, text)
    expect(own).toEqual(sourcesOf("anthropic-messages", anthropic.withCitations, text))
    expect(own.queries.length).toBeGreaterThan(0)
  })

  it("an account without balance is not asked again", async () => {
    const { exit } = await askProvider("deepseek", { error: { message: "Insufficient Balance" } }, {}, 402)
    expect(Effect.runSync(Effect.flip(exit))).toMatchObject({ reason: "no_credit", retryable: false })
  })
})

describe("mistral", () => {
  it("the request asks not to be stored, and offers search", async () => {
    const { path, sent } = await askProvider("mistral", mistralCase.answer("Acme."), {
      systemPrompt: "Be brief.",
      maxOutputTokens: 99
    })
    expect(path).toBe("/v1/conversations")
    expect(sent).toEqual({
      model: "m",
      inputs: "Best anvil?",
      stream: false,
      store: false,
      instructions: "Be brief.",
      tools: [{ type: "web_search" }],
      completion_args: { max_tokens: 99 }
    })
  })

  it("a reference cites the text before it, and queries are read from the search entries", () => {
    const { body, text } = mistralCase.withCitations
    expect(sourcesOf("mistral", body, text)).toMatchObject({
      status: "complete",
      queries: ["best anvil 2026"],
      sources: [
        { kind: "cited", url: "https://example.org/anvils", start: 0, end: 11 },
        { kind: "cited", url: "https://example.net/initech", start: 11, end: 28 }
      ]
    })
  })

  it("if arguments are not JSON only the query is lost; a body without outputs is unreadable", () => {
    const entry = { type: "tool.execution", name: "web_search", arguments: "{\"query\":" }
    expect(sourcesOf("mistral", { outputs: [entry, { type: "message.output", content: "Acme." }] }, "Acme."))
      .toMatchObject({ status: "complete", queries: [], sources: [] })
    expect(sourcesOf("mistral", { outputs: "no" }, "Acme.")).toMatchObject({ status: "unreadable" })
  })
})
