/** APIs and models that have ended or will end, in the words of each provider. */
import type Anthropic from "@anthropic-ai/sdk"
import { probePlatform } from "@sov/core"
import { Effect, Exit } from "effect"
import type OpenAI from "openai"
import { describe, expect, it } from "vitest"
import { makeFakePlatform, reply, type Script } from "../support/FakePlatform.ts"
import { adapterCases, platformFrom } from "./adapterCases.ts"
import { answerTo, ask, errorOf } from "./askAdapter.ts"
import { describedModel as describedByAnthropic } from "./fixtures/anthropicMessages.ts"
import * as chat from "./fixtures/chatCompletions.ts"
import { ending } from "./fixtures/gemini.ts"
import { describedModel as describedByOpenAi } from "./fixtures/openAiResponses.ts"
import * as perplexity from "./fixtures/perplexity.ts"

const message = (text: string, more: object = {}) => ({ error: { message: text, ...more } })
const past = "Sun, 27 Sep 2026 00:00:00 GMT"
const reasonOf = async (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (await errorOf("openai-compatible", reply(status, body, headers))).reason

describe("a reply that the API or model has ended", () => {
  it.each([
    ["Perplexity's Sonar API", 403, perplexity.sonarEnded],
    ["the same with the word as code", 403, message("Use /v1/responses", { code: "chat_completions_not_available" })],
    ["Sonar before its end", 403, message("Sonar is now the Agent API.", { code: "agent_api_migration_required" })],
    ["410 without a word", 410, ""],
    ["410 in HTML", 410, "<h1>Gone</h1>"],
    [
      "OpenAI's",
      404,
      message("The model `gpt-5-mini` has been deprecated, learn more here", { code: "model_not_found" })
    ],
    ["Groq's", 400, message("The model `llama-9` has been decommissioned.", { code: "model_decommissioned" })],
    ["words only", 400, message("This model is deprecated. Please migrate.")],
    ["an API version", 400, message("API version 2023-01-01 is no longer supported.")],
    ["an endpoint", 403, message("This endpoint was shut down on 2026-09-27.")],
    ["a model that is not known", 400, message("validation failed: model \"sonar\" is not supported")],
    ["Ollama's", 404, chat.errors.ollamaMissing],
    ["vLLM's", 404, chat.errors.vllmMissing],
    ["one inside of 200", 200, message("gone", { code: 410 })],
    ["a sentence inside of 200", 200, message("The model m has been deprecated.")],
    ["Sonar's without a code", 403, message("Sonar is now the Agent API.")],
    ["one word", 400, message("deprecated")]
  ])("the end of an API or model is recognised: %s", async (_, status, body) => {
    const error = await errorOf("openai-compatible", reply(status, body))
    expect(error).toMatchObject({ reason: "ended", status, retryable: false, outage: false })
  })

  it("the end is reported with the provider's status, code and message", async () => {
    const error = await errorOf("perplexity", reply(403, perplexity.sonarEnded))
    expect(error.message).toBe(
      "assistant_a: its API or model has ended, or never was: 403 chat_completions_not_available: Sonar is now the Agent " +
        "API. Use /v1/responses instead of /chat/completions."
    )
    const gone = await errorOf(
      "gemini",
      reply(410, "", { sunset: past, link: "<https://example.com/d>; rel=\"sunset\"" })
    )
    expect(gone.message).toContain(`410: Sunset: ${past}, see https://example.com/d`)
  })

  it.each([
    ["a parameter", 400, message("The parameter `temperature` is deprecated for this model."), "rejected"],
    ["a tool", 400, message("The tool web_search_preview is no longer supported by this model."), "rejected"],
    ["what a model cannot do", 400, message("Web search is not supported with this model."), "rejected"],
    ["where a model cannot be used", 400, message("The model `m` is not supported for this endpoint."), "rejected"],
    ["what a model cannot read", 400, message("Image input is no longer supported by this model."), "rejected"],
    ["a removed key", 403, message("Your API key has been removed."), "auth"],
    ["a refused key", 401, message("This API key has been retired; the model is deprecated."), "auth"],
    ["a forbidden region", 403, message("Country not supported"), "auth"],
    ["too many requests", 429, message("The model is deprecated."), "throttled"],
    ["a server's trouble", 503, message("This model is no longer available right now."), "unavailable"]
  ])("a reply about %s is not mistaken for an end", async (_, status, body, reason) => {
    expect(await reasonOf(status, body)).toBe(reason)
  })

  it("a refusal whose Sunset header has a past date counts as an end", async () => {
    expect(await reasonOf(403, message("no"), { sunset: past })).toBe("ended")
    expect(await reasonOf(408, message("slow"), { sunset: past })).toBe("unavailable")
    expect(await reasonOf(400, message("bad"), { sunset: past })).toBe("rejected")
    expect(await reasonOf(403, message("no"), { sunset: "Fri, 01 Jan 2100 00:00:00 GMT" })).toBe("auth")
    expect(await reasonOf(403, message("no"), { sunset: "soon" })).toBe("auth")
  })
})

describe("an announced end", () => {
  const announced = async (headers: Record<string, string>) => {
    const { exit } = await ask("openai-compatible", reply(200, chat.answer("Acme."), headers))
    return exit._tag === "Success" ? exit.value.announcedEnd : "no answer"
  }

  it.each([
    [{}, undefined],
    [{ deprecation: "false" }, undefined],
    [{ sunset: past }, `Sunset: ${past}`],
    [{ deprecation: "@1798675200" }, "Deprecation: Thu, 31 Dec 2026 00:00:00 GMT"],
    [
      {
        deprecation: "true",
        link: "<https://example.com/a>; rel=\"next\", <https://example.com/d>; rel=\"deprecation\""
      },
      "Deprecation: true, see https://example.com/d"
    ],
    [{ deprecation: "true", sunset: past }, `Sunset: ${past}, Deprecation: true`]
  ])("the end that %j announces is part of the answer", async (headers, expected) => {
    expect(await announced(headers)).toBe(expected)
  })

  it("the announcement is one line and does not contain the key", async () => {
    const key = "canary-8f14e45fceea167a5a36dedd4bea2543"
    const { exit } = await ask(
      "gemini",
      (response, request) => {
        const gemini = adapterCases.find(({ adapter }) => adapter === "gemini")!
        reply(200, gemini.answer("Acme."), { sunset: String(request.headers["x-goog-api-key"]) })(response, request)
      },
      {},
      key
    )
    expect(JSON.stringify(exit)).toContain("Sunset: [redacted]")
    expect(JSON.stringify(exit)).not.toContain("canary")
  })
})

it("the date of an end is part of the answer, from Gemini's model status or a Sunset header", async () => {
  const gemini = adapterCases.find(({ adapter }) => adapter === "gemini")!
  const endOf = async (modelStatus: unknown, headers: Record<string, string> = {}) => {
    const { exit } = await ask("gemini", reply(200, { ...gemini.answer("Acme.") as object, modelStatus }, headers))
    return exit._tag === "Success" ? exit.value.endsOn : exit
  }
  expect(await endOf(ending.modelStatus)).toBe("2027-03-31")
  for (const status of [undefined, "x", { modelStage: "STABLE" }, { retirementTime: "soon" }, { retirementTime: 7 }]) {
    expect(await endOf(status)).toBe(undefined)
  }
  expect(await endOf(undefined, { sunset: past })).toBe("2026-09-27")
})

describe("the provider's description of a model", () => {
  const openAi = describedByOpenAi satisfies OpenAI.Models.Model
  const anthropic = describedByAnthropic satisfies Partial<Anthropic.ModelInfo>
  const find = (adapter: string, script: Script) =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const fake = yield* makeFakePlatform(script)
      const exit = yield* Effect.exit(platformFrom(adapter, fake.baseUrl, { model: "m/1" }, "some-key").findEnd!)
      return { requests: fake.requests, end: Exit.isSuccess(exit) ? exit.value : "failed" }
    })))

  it.each([
    ["openai-responses", openAi, "2026-12-11"],
    ["openai-responses", { ...openAi, shutdown_date: null }, null],
    ["openai-responses", { ...openAi, shutdown_date: undefined }, null],
    ["anthropic-messages", anthropic, "2027-03-31"],
    ["anthropic-messages", { ...anthropic, retires_at: null }, null],
    ["anthropic-messages", { ...anthropic, retires_at: { $date: 1 } }, null],
    ["openai-responses", "<html>", "failed"],
    ["openai-responses", [], "failed"],
    ["anthropic-messages", `{"retires_at":"${"1".repeat(70_000)}"}`, "failed"]
  ])("the description by %s, %j, contains the date %j", async (adapter, body, day) => {
    const { end, requests } = await find(adapter, reply(200, body))
    expect(end).toBe(day)
    expect(requests).toMatchObject([{ method: "GET", path: "/v1/models/m%2F1", body: "" }])
    expect(Object.values(requests[0]!.headers).join()).toContain("some-key")
  })

  it("the description is not requested if the API has none, and a refusal counts as a failure", async () => {
    expect(platformFrom("gemini", "http://127.0.0.1:1").findEnd).toBe(undefined)
    expect((await find("openai-responses", reply(404, ""))).end).toBe("failed")
  })

  it.each([[200, "2026-12-11"], [500, undefined]])(
    "a test of the platform includes the description, even if the test gets status %i",
    async (status, endsOn) => {
      const { answer: body } = adapterCases.find(({ adapter }) => adapter === "openai-responses")!
      const found = await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
        const { baseUrl } = yield* makeFakePlatform((response, request) =>
          (request.method === "GET"
            ? reply(status, openAi)
            : reply(200, body("Acme.")))(response, request)
        )
        return yield* probePlatform(platformFrom("openai-responses", baseUrl), "Best anvil?")
      })))
      expect(found.answer).toMatchObject({ text: "Acme." })
      expect(found.answer.endsOn).toBe(endsOn)
    }
  )
})

it("the description has no effect on answers", async () => {
  expect(await answerTo("openai-compatible", chat.answer("Acme."))).not.toHaveProperty("announcedEnd")
})
