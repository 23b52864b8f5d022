/** Apps scraped by DataForSEO: what is sent, what is read, and failures reported under HTTP 200. */
import { deriveSources } from "@sov/core"
import { decodePlatformConfig } from "@sov/core/outbound"
import { Effect, Exit, Result } from "effect"
import { describe, expect, it } from "vitest"
import * as dataForSeo from "../support/dataForSeo.ts"
import { makeFakePlatform, reply } from "../support/FakePlatform.ts"
import { platformFrom } from "./adapterCases.ts"

type App = "google-ai-mode" | "google-ai-overview" | "chatgpt"

const ask = (model: App, body: unknown, status = 200, question = "Best anvil?") =>
  Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const fake = yield* makeFakePlatform(reply(status, body))
    const fields = { model, location: "Germany", language: "de" }
    const exit = yield* Effect.exit(platformFrom("dataforseo", fake.baseUrl, fields, "me:secret").ask(question))
    const { body: sent, headers, path } = fake.requests[0]!
    return { exit, headers, path, sent: JSON.parse(sent) as unknown }
  })))

const failureOf = async (model: App, body: unknown, status?: number) =>
  Effect.runSync(Effect.flip((await ask(model, body, status)).exit))

const apps: ReadonlyArray<readonly [App, string, unknown, object]> = [
  ["google-ai-mode", "/v1/serp/google/ai_mode/live/advanced", dataForSeo.aiMode, {}],
  ["google-ai-overview", "/v1/serp/google/organic/live/advanced", dataForSeo.overview, {
    load_async_ai_overview: true
  }],
  ["chatgpt", "/v1/ai_optimization/chat_gpt/llm_scraper/live/advanced", dataForSeo.chatGpt, {}]
]

describe.each(apps)("%s", (model, path, body, more) => {
  it("the request is one task with HTTP Basic authentication, and the text, cost and cited pages are read", async () => {
    const asked = await ask(model, body)
    expect(asked).toMatchObject({
      path,
      sent: [{ keyword: "Best anvil?", location_name: "Germany", language_code: "de", ...more }],
      headers: { authorization: `Basic ${btoa("me:secret")}` }
    })
    if (Exit.isFailure(asked.exit)) throw new Error(JSON.stringify(asked.exit))
    expect(asked.exit.value).toMatchObject({
      text: "**Acme** leads.",
      model: model === "chatgpt" ? "gpt-6-1" : model,
      search: "offered",
      usage: { costUsd: 0.004 },
      citations: [{ url: "https://example.org/anvils", title: "Anvils compared", position: 1 }]
    })
  })

  it("failures of the account and the scraper under HTTP 200 get the right reason", async () => {
    for (
      const [code, reason] of [
        [40100, "auth"],
        [40200, "no_credit"],
        [40210, "no_credit"],
        [40202, "throttled"],
        [40101, "unavailable"],
        [50000, "unavailable"],
        [40501, "rejected"]
      ] as const
    ) {
      for (const failed of [dataForSeo.fault(code), dataForSeo.taskFault(code)]) {
        expect(await failureOf(model, failed), String(code)).toMatchObject({ reason })
      }
    }
    expect(await failureOf(model, dataForSeo.fault(40100), 401)).toMatchObject({ reason: "auth" })
  })

  it("the keyword that DataForSEO decodes is the archived question", async () => {
    const question = "Best C++ IDE, 100%25 free + 50% off?"
    const { sent } = await ask(model, body, 200, question)
    const [{ keyword }] = sent as [{ readonly keyword: string }]
    expect(decodeURIComponent(keyword.replaceAll("+", " "))).toBe(question)
  })

  it("a body of another shape counts as malformed, and a hostile body is never an answer", async () => {
    for (const strange of [{}, [], { status_code: 20000 }, { status_code: "20000", tasks: [] }, { tasks: [{}] }]) {
      expect(await failureOf(model, strange)).toMatchObject({ reason: "malformed" })
    }
  })
})

describe("a question without an overview", () => {
  it("a missing overview is reported as no_overview, with its cost, and is not requested again", async () => {
    for (const body of [dataForSeo.withoutOverview, dataForSeo.taskFault(40102, 0.004)]) {
      expect(await failureOf("google-ai-overview", body)).toMatchObject({
        reason: "no_overview",
        retryable: false,
        outage: false,
        usage: { costUsd: 0.004 }
      })
    }
  })

  it("a changed format counts as malformed, not as a missing overview", async () => {
    for (
      const result of [{}, { elements: [] }, { items: null }, { items: [{ type: "ai_overview_v2" }] }, { items: [{}] }]
    ) {
      for (const model of ["google-ai-overview", "google-ai-mode"] as const) {
        expect(await failureOf(model, dataForSeo.whole(result)), JSON.stringify(result)).toMatchObject({
          reason: "malformed"
        })
      }
    }
  })

  it("AI Mode always answers, so a reply without an answer is a failure", async () => {
    expect(await failureOf("google-ai-mode", dataForSeo.withoutOverview)).toMatchObject({ reason: "malformed" })
    expect(await failureOf("google-ai-mode", dataForSeo.taskFault(40102))).toMatchObject({ reason: "rejected" })
  })

  it("an overview without Markdown is read from its parts, and one without text is empty", async () => {
    const { exit } = await ask("google-ai-overview", dataForSeo.partsOnly)
    expect(Effect.runSync(exit).text).toBe("Acme leads.\n\nInitech follows.")
    expect(await failureOf("google-ai-overview", dataForSeo.textless)).toMatchObject({ reason: "empty" })
  })
})

it("sources of ChatGPT are read as cited, its search results as retrieved, together with its queries", () => {
  const payload = Buffer.from(JSON.stringify(dataForSeo.chatGpt))
  const found = deriveSources({ adapter: "dataforseo", payload, text: "**Acme** leads.", citations: [] })
  expect(found).toMatchObject({
    status: "complete",
    queries: ["best anvil 2026"],
    sources: [
      { kind: "cited", url: "https://example.org/anvils" },
      { kind: "retrieved", url: "https://example.net/initech" }
    ]
  })
})

it("a configuration that mixes platforms of an app with those of an API is refused", () => {
  const decode = (platforms: object) => decodePlatformConfig({ platforms }, "sov.config.json")
  const app = { adapter: "dataforseo", model: "chatgpt" }
  const api = { adapter: "mistral", model: "m" }
  expect(Result.isSuccess(decode({ assistant_a: app, assistant_b: { ...app, model: "google-ai-mode" } }))).toBe(true)
  const mixed = decode({ assistant_a: app, assistant_b: api })
  expect(Result.isFailure(mixed) ? mixed.failure.message : "").toContain(
    "platforms of an app (assistant_a) cannot be added to those of an API (assistant_b)"
  )
})
