/** Perplexity's Agent API: the adapter and the official SDK with the same server, which refuses unknown fields. */
import Perplexity from "@perplexity-ai/perplexity_ai"
import { decodePlatformConfig, makePlatforms } from "@sov/core/outbound"
import { answerPlatformContract } from "@sov/core/testing"
import { Effect, Exit, Result } from "effect"
import { describe, expect, it } from "vitest"
import { makeFakePlatform, reply } from "../support/FakePlatform.ts"
import { platformFrom } from "./adapterCases.ts"
import { agentApi, strictly } from "./agentApi.ts"
import { answerTo, ask, errorOf } from "./askAdapter.ts"
import * as perplexity from "./fixtures/perplexity.ts"

const key = "pplx-8f14e45fceea167a5a36dedd4bea2543"

describe("the official SDK", () => {
  const against = <A>(run: (sdk: Perplexity) => Promise<A>) =>
    Effect.runPromise(
      Effect.scoped(Effect.flatMap(makeFakePlatform(agentApi), ({ origin }) =>
        Effect.promise(() =>
          run(new Perplexity({ apiKey: key, baseURL: origin, maxRetries: 0 }))
        )))
    )

  it("the official SDK accepts the responses of the fake", async () => {
    const answer = await against((sdk) => sdk.responses.create({ model: "perplexity/sonar", input: "Best anvil?" }))
    expect(answer).toMatchObject({ status: "completed", output_text: "Acme leads.", usage: { total_tokens: 3_381 } })
    // The field is in the migration guide, but not in the types of 0.38.5
    const forced = { tool_choice: { type: "web_search" } }
    const tools = [{ type: "web_search" as const, user_location: { country: "DE" } }]
    const searched = await against((sdk) =>
      sdk.responses.create({ preset: "low", input: "Best anvil?", tools, ...forced })
    )
    expect(searched.output.map(({ type }) => type)).toEqual(["search_results", "message"])
  })

  it("the fake refuses an unknown field, preset or bare model from the SDK", async () => {
    for (
      const [body, message] of [
        [{ model: "perplexity/sonar", disable_search: true }, "unknown field disable_search"],
        [{ preset: "lowest" }, "unknown preset \"lowest\""],
        [{ model: "sonar" }, "model \"sonar\" is not supported"]
      ] as const
    ) {
      const failed = against((sdk) => sdk.responses.create({ ...body, input: "x" }))
      await expect(failed).rejects.toMatchObject({ status: 400, error: { error: { message } } })
    }
  })
})

describe("the adapter against the whole API", () => {
  const asked = async (fields: object) => {
    const { exit, requests } = await ask("perplexity", agentApi, { model: "perplexity/sonar", ...fields }, key)
    if (Exit.isFailure(exit)) throw new Error(JSON.stringify(exit))
    return { ...exit.value, sent: JSON.parse(requests[0]!.body) as Record<string, unknown> }
  }

  it("each question is asked with a web search unless configured otherwise, and the answer records which", async () => {
    expect(await asked({})).toMatchObject({ search: "required", citations: [{ position: 1 }, { position: 3 }] })
    expect(await asked({ model: "low" })).toMatchObject({ search: "required", sent: { preset: "low" } })
    expect(await asked({ forceSearch: false })).toMatchObject({ search: "offered", citations: [] })
    expect(await asked({ webSearch: false })).toMatchObject({ search: "off", citations: [] })
    const location = { country: "DE", region: "Berlin", city: "Berlin" }
    expect(await asked({ location, language: "de", maxOutputTokens: 900, systemPrompt: "Be brief." })).toMatchObject({
      text: "Acme leads.[1] Initech follows.[web:3]"
    })
  })

  it("a refusal by the API is reported with the setting to change", async () => {
    const refused = (message: string) => errorOf("perplexity", reply(400, perplexity.error(400, message)))
    expect(await errorOf("perplexity", agentApi, { model: "no-such-preset" })).toMatchObject({
      reason: "rejected",
      message: expect.stringContaining("unknown preset \"no-such-preset\"")
    })
    expect((await refused("unknown field tool_choice")).message).toMatch(/tool_choice; set forceSearch to false/)
    expect((await refused("max_output_tokens is required when using Anthropic models")).message).toMatch(
      /; set maxOutputTokens$/
    )
  })
})

describe("replies", () => {
  it("a failed reply under status 200 is a failure, whatever text it contains", async () => {
    const said = perplexity.withCitations
    expect(await errorOf("perplexity", reply(200, perplexity.failed))).toMatchObject({
      reason: "unavailable",
      message: expect.stringContaining("The model failed to respond."),
      usage: { outputTokens: 251 }
    })
    for (const status of ["failed", "cancelled", "queued", "in_progress", "requires_action"]) {
      const error = await errorOf("perplexity", reply(200, { ...said, status }))
      expect(error).toMatchObject({ reason: "unavailable", message: expect.stringContaining(`status "${status}"`) })
    }
    const limited = { ...perplexity.failed, error: { code: "rate_limit_exceeded", message: "slow down" } }
    expect((await errorOf("perplexity", reply(200, limited))).reason).toBe("throttled")
  })

  it("an incomplete reply keeps its text", async () => {
    expect(await answerTo("perplexity", perplexity.length)).toMatchObject({ text: "Acme is the", finish: "length" })
    const { incomplete_details: _, ...unsaid } = perplexity.length
    expect(await answerTo("perplexity", unsaid)).toMatchObject({ text: "Acme is the", finish: "other" })
  })

  const cited = async (text: string, items: ReadonlyArray<unknown> = perplexity.severalParts.output.slice(0, 3)) => {
    const output = [...items, { type: "message", content: [{ type: "output_text", text }] }]
    return (await answerTo("perplexity", { status: "completed", output })).citations.map(({ position }) => position)
  }

  it("a reply cites the results that its text numbers, from all searches, or else all results", async () => {
    expect(await cited("Acme [4], [web:1].")).toEqual([1, 4])
    expect(await cited("Acme [1, 3][99].")).toEqual([1, 3])
    expect(await cited("Acme.")).toEqual([1, 2, 3, 4])
    expect(await cited("Acme [99].")).toEqual([1, 2, 3, 4])
  })

  it("a reply keeps its text even if its sources cannot be read", async () => {
    const odd = [
      { type: "search_results" },
      { type: "search_results", results: "none" },
      {
        type: "search_results",
        results: [null, 7, "x", {}, { id: "2", url: 5 }, { id: -1, url: "https://a.example/" }]
      },
      null,
      "item"
    ]
    expect(await cited("Acme [1].", odd)).toEqual([3])
    const million = Array.from({ length: 1_000_000 }, (_, i) => ({ id: i + 1, url: `https://a.example/${i}` }))
    const output = [
      { type: "search_results", results: million },
      { type: "message", content: [{ type: "output_text", text: "Acme." }] }
    ]
    const answer = await answerTo("perplexity", { output }, { maxAnswerBytes: 67_108_864 })
    expect(answer.text).toBe("Acme.")
    expect(answer.citations).toHaveLength(500)
  })
})

describe("configurations that were written for Sonar", () => {
  const decode = (fields: object) =>
    decodePlatformConfig({ platforms: { assistant_d: { adapter: "perplexity", ...fields } } }, "sov.config.json")

  it.each([
    [{ model: "sonar" }, "write \"model\": \"perplexity/sonar\""],
    [
      { model: "sonar", baseUrl: "https://api.perplexity.ai" },
      "write \"model\": \"perplexity/sonar\", \"baseUrl\": \"https://api.perplexity.ai/v1\""
    ],
    [
      { model: "perplexity/sonar", baseUrl: "https://api.perplexity.ai/" },
      "write \"baseUrl\": \"https://api.perplexity.ai/v1\""
    ]
  ])("a configuration for Sonar with %j still works, with one warning", (fields, line) => {
    const { platforms, warnings } = Result.getOrThrow(decode(fields))
    expect(platforms.assistant_d).toMatchObject({
      model: "perplexity/sonar",
      baseUrl: "https://api.perplexity.ai/v1",
      webSearch: true
    })
    expect(warnings).toHaveLength(1)
    expect(warnings![0]!.message).toMatch(
      /^sov\.config\.json: platforms\.assistant_d is written for Perplexity's Sonar API/
    )
    expect(warnings![0]).toMatchObject({ platform: "assistant_d", message: expect.stringContaining(line) })
  })

  it.each([
    ["sonar-pro", "low"],
    ["sonar-reasoning", "medium"],
    ["sonar-reasoning-pro", "medium"],
    ["sonar-deep-research", "high"]
  ])("a configuration for Sonar with %s is refused, with the line to write instead", (model, preset) => {
    const { hint, message } = Result.getOrThrow(Result.flip(decode({ model })))
    expect(message).toContain(`platforms.assistant_d.model "${model}" ended with Perplexity's Sonar API on 2026-09-27`)
    expect(hint).toContain(`Write "model": "${preset}"`)
    expect(Result.getOrThrow(decode({ model: preset })).platforms.assistant_d).toMatchObject({ model: preset })
  })

  it("a configuration for Sonar has the same bindings as one for the Agent API, which causes no warning", () => {
    const now = Result.getOrThrow(decode({ model: "perplexity/sonar" }))
    expect(now.warnings).toBeUndefined()
    const digest = (fields: object) => Result.getOrThrow(makePlatforms(Result.getOrThrow(decode(fields)), {})).digest
    expect(digest({ model: "sonar", baseUrl: "https://api.perplexity.ai" })).toBe(digest({ model: "perplexity/sonar" }))
  })
})

const strict = (script: Parameters<typeof strictly>[0], fields: object = {}) =>
  Effect.map(makeFakePlatform(strictly(script, true)), ({ asked, baseUrl, aborted }) => ({
    platform: platformFrom("perplexity", baseUrl, { model: "perplexity/sonar", ...fields }, key),
    secret: key,
    asked,
    aborted: aborted
  }))

answerPlatformContract("perplexity, the whole API", {
  answers: strict(agentApi),
  silent: strict(() => undefined),
  says: (text) => strict(reply(200, perplexity.answer(text)), { model: "medium", language: "de" }),
  fails: {
    auth: strict(reply(401, perplexity.error(401, "Invalid API key"))),
    rejected: strict(agentApi, { model: "no-such-preset" }),
    throttled: strict(reply(429, perplexity.error(429, "slow down"), { "retry-after": "7" })),
    refused: strict(reply(200, perplexity.safety)),
    empty: strict(reply(200, perplexity.onlyReasoning)),
    malformed: strict(reply(200, "<!doctype html>")),
    unavailable: strict(reply(200, perplexity.failed))
  }
}, { describe, it })
