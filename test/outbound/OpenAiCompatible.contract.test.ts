import { PlatformFailure } from "@sov/core"
import { decodePlatformConfig, makePlatforms } from "@sov/core/outbound"
import { answerPlatformContract } from "@sov/core/testing"
import { Effect, Exit, Fiber, Result, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { completion, drip, makeFakePlatform, reply, type Script } from "../support/FakePlatform.ts"

const canary = "canary/key+with\"quote-8f14e45fceea167a5a36dedd4bea2543"

type Options = { readonly timeout?: string; readonly maxAnswerBytes?: number }
const platformAt = (baseUrl: string, options: Options = {}, key: string | null = canary) => {
  const binding = { adapter: "openai-compatible", model: "test-model", baseUrl, maxAnswerBytes: 65_536, ...options }
  const platforms = { assistant_a: key === null ? binding : { ...binding, apiKeyEnv: "KEY" } }
  const config = Result.getOrThrow(decodePlatformConfig({ platforms }, "sov.config.json"))
  return Result.getOrThrow(makePlatforms(config, { KEY: key ?? "" })).all.get("assistant_a")!
}

const play = (script: Script, options: Options = {}) =>
  Effect.map(makeFakePlatform(script), ({ asked, baseUrl, aborted }) => ({
    platform: platformAt(baseUrl, options),
    secret: canary,
    asked,
    aborted: aborted
  }))

const fails = {
  no_credit: play(reply(402, { error: { message: "Insufficient Balance" } })),
  auth: play(reply(401, { error: { message: "bad key" } })),
  rejected: play(reply(422, { error: { message: "no such parameter" } })),
  ended: play(reply(404, { error: { message: "no such model", code: "model_not_found" } })),
  throttled: play(reply(429, { error: { message: "slow down" } }, { "retry-after": "7" })),
  refused: play(reply(200, completion(null, { choice: { finish_reason: "content_filter" } }))),
  empty: play(reply(200, completion(" \n "))),
  timeout: play(() => undefined, { timeout: "1 millis" }),
  too_large: play(reply(200, completion("x".repeat(70_000)))),
  malformed: play(reply(200, "<!doctype html><title>Gateway</title>", { "content-type": "text/html" })),
  unavailable: play(reply(503, "busy"))
}

const citations = ["https://example.org/a", "https://example.org/b"]
const echo: Script = (response, request) =>
  reply(400, { error: { message: `got ${request.headers.authorization}` } })(response, request)

answerPlatformContract("openai-compatible", {
  answers: play(reply(200, completion("Acme.", { top: { citations } }))),
  silent: play(() => undefined),
  says: (text) => play(reply(200, completion(text))),
  drips: play(drip(" ", 5)),
  oversized: play(drip("x".repeat(20_000), 1)),
  echoesSecret: play(echo),
  // The one reason that depends on elapsed time is tested separately.
  fails: Object.fromEntries(Object.entries(fails).filter(([reason]) => reason !== "timeout"))
}, { describe, it })

/** Makes one call against a script. */
const ask = (script: Script, options: Options = {}, key: string | null = canary) =>
  Effect.gen(function*() {
    const fake = yield* makeFakePlatform(script)
    const exit = yield* Effect.exit(platformAt(fake.baseUrl, options, key).ask("What is the best CRM?"))
    return { fake, exit }
  })
const live = <A>(test: Effect.Effect<A, unknown, Scope.Scope>) => Effect.runPromise(Effect.scoped(test))
const answerTo = async (script: Script, options: Options = {}) => {
  const { exit } = await live(ask(script, options))
  if (Exit.isFailure(exit)) throw new Error(`no answer: ${JSON.stringify(exit)}`)
  return exit.value
}
const errorTo = async (script: Script, options: Options = {}) => {
  const { exit } = await live(ask(script, options))
  expect(JSON.stringify(exit)).not.toContain("canary")
  return Effect.runSync(Effect.flip(exit))
}

describe("OpenAiCompatible: the request", () => {
  it("the request posts the documented body with the key as bearer token", async () => {
    const { fake } = await live(ask(reply(200, completion("Acme."))))
    expect(fake.requests).toHaveLength(1)
    const [request] = fake.requests
    expect([request?.method, request?.path]).toEqual(["POST", "/v1/chat/completions"])
    expect(JSON.parse(request?.body ?? "")).toEqual({
      model: "test-model",
      messages: [{ role: "user", content: "What is the best CRM?" }]
    })
    expect(request?.headers.authorization).toBe(`Bearer ${canary}`)
    expect(request?.headers["content-type"]).toBe("application/json")
  })

  it("without a key, the request has no Authorization header, and it is sent only once", async () => {
    const { fake } = await live(ask(reply(500, "down"), {}, null))
    expect(fake.requests.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })

  it("a redirect to another origin is never followed", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const result = await live(Effect.gen(function*() {
        const other = yield* makeFakePlatform(reply(200, completion("stolen")))
        const { exit } = yield* ask(reply(status, "", { location: `${other.origin}/steal?${status}` }))
        return { other, error: yield* Effect.flip(exit) }
      }))
      expect(result.other.requests).toEqual([])
      expect(result.error).toMatchObject({ reason: "rejected", status, retryable: false })
      expect(result.error.message).toContain("redirect")
      expect(result.error.message).toContain(result.other.origin)
    }
  })
})

describe("OpenAiCompatible: failures", () => {
  it("a scenario tests every failure reason, except no_overview, which only apps return", () => {
    expect(Object.keys(fails).sort()).toEqual(
      PlatformFailure.literals.filter((reason) => reason !== "no_overview").sort()
    )
  })

  it.each([
    [400, {}, "rejected"],
    [400, { error: { code: "content_filter", message: "filtered" } }, "refused"],
    [401, {}, "auth"],
    [402, {}, "no_credit"],
    [403, {}, "auth"],
    [404, {}, "ended"],
    [410, {}, "ended"],
    [408, {}, "unavailable"],
    [409, {}, "unavailable"],
    [413, {}, "rejected"],
    [422, {}, "rejected"],
    [425, {}, "unavailable"],
    [429, {}, "throttled"],
    [429, { error: { code: "insufficient_quota", message: "pay" } }, "no_credit"],
    [429, { error: { type: "insufficient_quota", code: null } }, "no_credit"],
    [500, {}, "unavailable"],
    [503, "<html>busy</html>", "unavailable"],
    [529, {}, "unavailable"],
    [200, { error: { code: 429, message: "upstream throttled" } }, "throttled"],
    [200, { error: "broken" }, "unavailable"],
    [200, "", "malformed"],
    [204, "", "malformed"],
    [200, "null", "malformed"],
    [200, [], "malformed"],
    [200, { choices: [] }, "malformed"],
    [200, { choices: [{ message: { content: 5 } }] }, "malformed"],
    [200, completion(null), "empty"],
    [200, completion(""), "empty"],
    [200, completion([]), "empty"],
    [200, completion(undefined, { message: { tool_calls: [] } }), "empty"],
    [200, completion(null, { message: { reasoning_content: "Acme?" } }), "empty"],
    [200, completion(null, { choice: { finish_reason: "content_filter" } }), "refused"],
    [200, completion([{ type: "refusal", refusal: "" }]), "empty"]
  ])("a response with status %i and body %j becomes %s", async (status, body, reason) => {
    expect(await errorTo(reply(status, body))).toMatchObject({ reason, status })
  })

  it.each([
    [{ "retry-after": "30" }, 30_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "1.5" }, 1500],
    [{ "retry-after": "999999" }, 3_600_000],
    [{ "retry-after": "-5" }, null],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{}, null]
  ])("the pause %j is read as %s ms", async (headers, pause) => {
    expect((await errorTo(reply(429, {}, headers))).retryAfterMs).toBe(pause)
    expect((await errorTo(reply(401, {}, headers))).retryAfterMs).toBe(null)
  })

  it.each([
    ["Thu, 01 Jan 2026 00:02:00 GMT", 120_000],
    ["Wed, 31 Dec 2025 23:00:00 GMT", 0],
    ["Thu, 01 Jan 2026 09:00:00 GMT", 3_600_000]
  ])("the date %s is read relative to the clock", async (date, pause) => {
    const test = Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const { exit } = yield* ask(reply(503, {}, { "retry-after": date }))
      return yield* Effect.flip(exit)
    })
    expect((await live(test.pipe(Effect.provide(TestClock.layer())))).retryAfterMs).toBe(pause)
  })

  it("a truncated body counts as malformed", async () => {
    const cutShort: Script = (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "5000" })
      response.write(JSON.stringify(completion("Acme.")), () => response.destroy())
    }
    const chunked: Script = (response) => {
      response.writeHead(200, { "content-type": "application/json" })
      response.write("{\"choices\":[{\"message\":", () => response.destroy())
    }
    expect(await errorTo(cutShort)).toMatchObject({ reason: "malformed", status: 200 })
    expect(await errorTo(chunked)).toMatchObject({ reason: "malformed", excerpt: "{\"choices\":[{\"message\":" })
  })

  it("a lost connection and a closed port count as unavailable", async () => {
    const lost = await errorTo((response) => void response.destroy())
    expect(lost).toMatchObject({ reason: "unavailable", status: null, excerpt: null, retryable: true })
    const gone = await live(Effect.map(Effect.scoped(makeFakePlatform(() => undefined)), ({ baseUrl }) => baseUrl))
    const error = await Effect.runPromise(Effect.flip(platformAt(gone).ask("x")))
    expect(error.message).toMatch(/could not reach http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)/)
  })

  it("an answer at the size limit is accepted, one byte more is refused: announced, chunked or compressed", async () => {
    const body = JSON.stringify(completion("Acme ".repeat(200)))
    const chunked: Script = (response) => {
      response.writeHead(200)
      response.write(body.slice(0, 10))
      response.end(body.slice(10))
    }
    const zipped = reply(200, gzipSync(body), { "content-encoding": "gzip" })
    for (const script of [reply(200, body, { "content-length": `${body.length}` }), chunked, zipped]) {
      expect((await answerTo(script, { maxAnswerBytes: body.length })).payload).toHaveLength(body.length)
      const error = await errorTo(script, { maxAnswerBytes: body.length - 1 })
      expect(error).toMatchObject({ reason: "too_large", status: 200 })
    }
  })

  it("a hostile error message is shortened and cleaned before it is shown", async () => {
    const hostile = `\u001b[2J\u0000Bearer abc.def sk-proj-0123456789 ${"x".repeat(12_000)}`
    const error = await errorTo(reply(500, { error: { message: `two\nlines ${hostile}` } }))
    expect(error.message).toMatch(/^assistant_a: answered 500: two lines/)
    expect(error.excerpt).toHaveLength(500)
    expect(`${error.message}${error.excerpt}`).not.toMatch(/abc\.def|sk-proj|[\u0000-\u0008\u001b]/)
  })

  it("an error body that is not JSON is cleaned", async () => {
    const error = await errorTo(reply(502, "\u001b[2Jbad\u0000 gateway\nsk-proj-0123456789"))
    expect(error.excerpt).toBe("\uFFFD[2Jbad\uFFFD gateway\n[redacted]")
  })

  it("an API key is redacted in every JSON or URL encoding", async () => {
    const json = JSON.stringify(canary).slice(1, -1)
    for (const spelling of [canary, json, json.replaceAll("/", "\\/"), encodeURIComponent(canary)]) {
      expect((await errorTo(reply(500, `key ${spelling}.`))).excerpt).toBe("key [redacted].")
    }
  })

  it("if an excerpt ends within a key, no part of the key remains", async () => {
    const long = `canary${"k".repeat(1500)}`
    const { exit } = await live(
      ask(
        (response, request) =>
          reply(500, `${String(request.headers.authorization).slice(7)}`.repeat(40))(response, request),
        {},
        long
      )
    )
    expect(JSON.stringify(exit)).not.toContain("canary")
    expect(JSON.stringify(exit)).not.toContain("kkkk")
  })
})

describe("OpenAiCompatible: answers", () => {
  it("text, finish reason, usage and payload of an answer are read", async () => {
    const body = JSON.stringify(completion("Acme.", { choice: { finish_reason: "length" } }), null, 2)
    const answer = await answerTo(reply(200, body))
    expect(answer).toMatchObject({
      text: "Acme.",
      model: "test-model-2026",
      finish: "length",
      usage: { inputTokens: 5, outputTokens: 7, costUsd: null },
      simulated: false
    })
    expect(Buffer.from(answer.payload).toString()).toBe(body)
  })

  it("the latency is measured with the clock", async () => {
    const test = Effect.gen(function*() {
      let finish = () => undefined as void
      const fake = yield* makeFakePlatform((response, request) => {
        finish = () => reply(200, completion("Acme."))(response, request)
      })
      const call = yield* Effect.forkChild(platformAt(fake.baseUrl).ask("x"))
      yield* fake.asked
      yield* TestClock.adjust("1234 millis")
      finish()
      return yield* Fiber.join(call)
    })
    expect((await live(test.pipe(Effect.provide(TestClock.layer())))).latencyMs).toBe(1234)
  })

  it("invalid UTF-8 is decoded with replacement characters, and the original bytes are kept", async () => {
    const [head, tail] = JSON.stringify(completion("A@B")).split("@")
    const bytes = Buffer.concat([Buffer.from(head!), Buffer.from([0xff, 0xc3]), Buffer.from(tail!)])
    const answer = await answerTo(reply(200, bytes))
    expect(answer.text).toBe("A\uFFFD\uFFFDB")
    expect(createHash("sha256").update(answer.payload).digest("hex"))
      .toBe(createHash("sha256").update(bytes).digest("hex"))
  })

  it("an escaped U+0000 and an escaped lone surrogate are kept", async () => {
    const body = JSON.stringify(completion("A@B")).replace("@", "\\u0000\\ud800")
    expect((await answerTo(reply(200, body))).text).toBe("A\u0000\uD800B")
  })

  it("a compressed body, and one with a byte order mark, can be read", async () => {
    const body = JSON.stringify(completion("Acme."))
    expect((await answerTo(reply(200, gzipSync(body), { "content-encoding": "gzip" }))).text).toBe("Acme.")
    expect((await answerTo(reply(200, `\uFEFF${body}`))).text).toBe("Acme.")
    const broken = reply(200, gzipSync(body).subarray(0, 60), { "content-encoding": "gzip" })
    expect((await errorTo(broken)).reason).toBe("malformed")
  })

  it("parts of the text are joined, without the reasoning", async () => {
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "hidden" }] },
      { type: "text", text: " Acme" },
      { type: "image_url", image_url: {} },
      null,
      { type: "text", text: " leads. " }
    ]
    expect((await answerTo(reply(200, completion(parts)))).text).toBe(" Acme leads. ")
    const reasoned = completion("Acme.", { message: { reasoning: "Globex?", reasoning_content: "Globex?" } })
    expect((await answerTo(reply(200, reasoned))).text).toBe("Acme.")
  })

  it.each([
    ["stop", {}, "stop"],
    ["content_filter", {}, "content_filter"],
    ["constructor", {}, "other"],
    [null, {}, "other"],
    ["stop", { refusal: "I would rather not." }, "refusal"]
  ])("finish_reason %j with %j is read as %s", async (finish_reason, message, finish) => {
    const body = completion("Text.", { choice: { finish_reason }, message })
    expect((await answerTo(reply(200, body))).finish).toBe(finish)
  })

  it("citations keep the platform's order, without entries that are not web addresses", async () => {
    const listed = await answerTo(reply(
      200,
      completion("Acme [1][3].", {
        top: {
          citations: ["https://a.example/", "javascript:alert(1)", { url: "https://c.example/", title: "C" }, 7],
          search_results: [{ url: "https://a.example/", title: "A" }]
        }
      })
    ))
    expect(listed.citations).toEqual([
      { url: "https://a.example/", title: "A", position: 1 },
      { url: "https://c.example/", title: "C", position: 3 }
    ])
    const note = (url: string) => ({ type: "url_citation", url_citation: { url, title: "N", start_index: 0 } })
    const noted = await answerTo(reply(
      200,
      completion("Acme.", {
        message: { annotations: [note("https://a.example/"), note("https://a.example/"), note("https://b.example/")] }
      })
    ))
    expect(noted.citations.map(({ position, url }) => [position, url]))
      .toEqual([[1, "https://a.example/"], [2, "https://b.example/"]])
    const search_results = [{ url: "https://a.example/" }]
    const results = await answerTo(reply(200, completion("Acme.", { top: { search_results } })))
    expect(results.citations).toEqual([{ url: "https://a.example/", title: null, position: 1 }])
    const oddities = { citations: "none", usage: { prompt_tokens: -1 } }
    const odd = await answerTo(reply(200, completion("Acme.", { top: oddities })))
    expect(odd).toMatchObject({ text: "Acme.", citations: [], usage: { inputTokens: null, outputTokens: null } })
  })

  it("the cost is read if the platform reports one", async () => {
    const cost = async (usage: object) =>
      (await answerTo(reply(200, completion("Acme.", { top: { usage } })))).usage.costUsd
    expect(await cost({ cost: 0.00012 })).toBe(0.00012)
    expect(await cost({ cost: { total_cost: 0.006 } })).toBe(0.006)
    expect(await cost({ cost: "free" })).toBe(null)
  })
})
