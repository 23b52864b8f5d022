/** The cost of calls: by configured prices, as reported by the provider, and for calls without an answer. */
import { describe, expect, it } from "vitest"
import { inTurn, reply, type Script } from "../support/FakePlatform.ts"
import { answerTo, errorOf } from "./askAdapter.ts"
import * as anthropic from "./fixtures/anthropicMessages.ts"
import * as chat from "./fixtures/chatCompletions.ts"
import * as gemini from "./fixtures/gemini.ts"
import * as openAi from "./fixtures/openAiResponses.ts"
import * as perplexity from "./fixtures/perplexity.ts"

const usageOf = async (adapter: string, script: Script, fields: object = {}) =>
  (await errorOf(adapter, script, fields)).usage

describe("costs", () => {
  const prices = { inputPerMillion: 10, outputPerMillion: 100, perRequest: 1, perSearch: 5 }

  it.each([
    ["openai-responses", openAi.withCitations, 1],
    ["anthropic-messages", anthropic.withCitations, 1],
    ["gemini", gemini.withCitations, 1]
  ])(
    "the cost of a call to %s follows from the prices of tokens, request and searches",
    async (adapter, body, searches) => {
      const { usage } = await answerTo(adapter, body, { webSearch: true, prices })
      expect(usage.searches).toBe(searches)
      expect(usage.costUsd).toBeCloseTo(
        (usage.inputTokens! * 10 + usage.outputTokens! * 100) / 1_000_000 + 1 + 5 * searches,
        9
      )
    }
  )

  it("the cost includes searches, but not the pages that were opened", async () => {
    const action = (type: string) => ({ type: "web_search_call", id: "ws_1", status: "completed", action: { type } })
    const calls = ["search", "open_page", "find_in_page", "search"].map(action)
    const body = { ...openAi.answer("Acme."), output: [...calls, ...openAi.answer("Acme.").output] }
    expect((await answerTo("openai-responses", body)).usage.searches).toBe(2)
  })

  const failing = [
    ["openai-responses", openAi, { inputTokens: 328, outputTokens: 356, searches: 0 }],
    ["anthropic-messages", anthropic, { inputTokens: 6139, outputTokens: 931, searches: 1 }],
    ["gemini", gemini, { inputTokens: 82, outputTokens: 96, searches: 0 }],
    ["openai-compatible", chat, { inputTokens: 13, outputTokens: 34 }]
  ] as const

  it.each(failing)(
    "the cost of a call to %s is known even if it returned no text",
    async (adapter, fixtures, usage) => {
      const costUsd = (usage.inputTokens * 10 + usage.outputTokens * 100) / 1_000_000 + 1 +
        ("searches" in usage ? 5 * usage.searches : 0)
      const expected = { ...usage, costUsd: expect.closeTo(costUsd, 9) as number }
      const withoutText = [
        fixtures.onlyReasoning,
        adapter === "anthropic-messages" ? anthropic.refusal : fixtures.safety
      ]
      for (const body of withoutText) {
        expect(await usageOf(adapter, reply(200, body), { prices })).toEqual(expected)
      }
      expect(await usageOf(adapter, reply(500, "no"), { prices })).toBeUndefined()
    }
  )

  it("the cost of a call to Perplexity is the provider's own figure even if it returned no text", async () => {
    for (const body of [perplexity.onlyReasoning, perplexity.failed]) {
      expect(await usageOf("perplexity", reply(200, body))).toMatchObject({ costUsd: 0.00641 })
    }
  })

  it("the cost of a failure under status 200 is known for a gateway", async () => {
    expect(await usageOf("openai-compatible", reply(200, chat.openRouterBroken), { prices })).toMatchObject({
      outputTokens: 34
    })
    expect(await usageOf("openai-responses", reply(200, openAi.failed))).toMatchObject({ outputTokens: 356 })
  })

  it("the cost of a paused call that ends without an answer includes all its replies", async () => {
    const usage = (requests: number) => ({
      inputTokens: requests * 6139,
      outputTokens: requests * 931,
      searches: requests,
      costUsd: null
    })
    expect(await usageOf("anthropic-messages", reply(200, anthropic.paused))).toEqual({ ...usage(9), requests: 9 })
    const broken = inTurn([reply(200, anthropic.paused), reply(529, "no")])
    expect(await usageOf("anthropic-messages", broken)).toEqual(usage(1))
    const late = inTurn([reply(200, anthropic.paused), () => undefined])
    expect(await usageOf("anthropic-messages", late, { timeout: "1 second" })).toEqual(usage(1))
  })

  it("a cost of 0 counts as unknown if prices are configured", async () => {
    const body = { ...chat.answer("Acme."), usage: { prompt_tokens: 10, completion_tokens: 20, cost: 0 } }
    expect((await answerTo("openai-compatible", body, { prices })).usage.costUsd).toBeCloseTo(1.0021, 9)
    expect((await answerTo("openai-compatible", body)).usage.costUsd).toBe(0)
  })

  it("a cost reported by the provider takes precedence", async () => {
    expect((await answerTo("perplexity", perplexity.answer("Acme."), { prices })).usage.costUsd).toBe(0.00641)
    expect((await answerTo("openai-compatible", chat.openRouter, { prices })).usage.costUsd).toBe(0.0021)
  })

  it("the cost is unknown if the number of priced tokens is missing", async () => {
    const body = { ...perplexity.answer("Acme."), usage: { tool_calls_details: { web_search: { invocation: 3 } } } }
    expect((await answerTo("perplexity", body, { prices })).usage).toEqual({
      inputTokens: null,
      outputTokens: null,
      costUsd: null,
      searches: 3
    })
    expect((await answerTo("perplexity", body, { prices: { perSearch: 2 } })).usage.costUsd).toBe(6)
  })
})
