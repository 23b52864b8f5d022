/**
 * How the five adapters react to every situation that a server may cause; one row per situation. `SOV_SHOW_OUTCOMES=1`
 * prints the rows as a table.
 */
import { answerPlatformContract } from "@sov/core/testing"
import { Effect, Exit, type Scope } from "effect"
import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { drip, makeFakePlatform, reply, type Script } from "../support/FakePlatform.ts"
import { type AdapterCase, adapterCases, mistralCase, platformFrom } from "./adapterCases.ts"

const canary = "canary/key+with\"quote-8f14e45fceea167a5a36dedd4bea2543"

const live = <A>(test: Effect.Effect<A, unknown, Scope.Scope>) => Effect.runPromise(Effect.scoped(test))

/** All adapters of the table. */
const allCases = [...adapterCases, mistralCase]

const ask = (one: AdapterCase, script: Script, fields: object = {}) =>
  live(Effect.gen(function*() {
    const fake = yield* makeFakePlatform(one.around?.(script) ?? script)
    const platform = platformFrom(one.adapter, fake.baseUrl, { ...one.fields, ...fields }, canary)
    const exit = yield* Effect.exit(platform.ask("What is the best anvil?"))
    expect(JSON.stringify(exit)).not.toContain("canary")
    return { exit, requests: [...fake.requests] }
  }))
type Asked = Awaited<ReturnType<typeof ask>>

/** The outcome of a call as one object: the essential parts of the answer or of the failure. */
const outcomeOf = ({ exit }: Asked) => {
  if (Exit.isSuccess(exit)) {
    const { citations, finish, text } = exit.value
    return { finish, text, citations: citations.length }
  }
  const { reason, retryAfterMs, retryable, status } = Effect.runSync(Effect.flip(exit))
  return { reason, status, retryable, ...(retryAfterMs === null ? {} : { retryAfterMs }) }
}

/** A response of 50 MB, unless the client disconnects earlier. */
const huge = (head: string): { readonly script: Script; readonly sent: () => number } => {
  let sent = 0
  const chunk = "x".repeat(1_000_000)
  const script: Script = (response) => {
    response.writeHead(200, { "content-type": "application/json" })
    response.write(head)
    const more = () => {
      if (response.destroyed) return
      if (sent >= 50_000_000) return void response.end()
      sent += chunk.length
      response.write(chunk, () => setImmediate(more))
    }
    more()
  }
  return { script, sent: () => sent }
}

const cut: Script = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "5000" })
  response.write("{\"id\":\"1\",", () => response.destroy())
}

interface Row {
  readonly name: string
  readonly script: Script
  readonly fields?: object
  readonly expected: object
}

const answered = (text: string, finish = "stop", citations = 0) => ({ finish, text, citations })
const failed = (reason: string, status: number | null, retryable: boolean) => ({ reason, status, retryable })
const orRefused = (text: string | null, finish: string) =>
  text === null ? failed("refused", 200, false) : answered(text, finish)

const rightToLeft = "\u202Bأكمي\u202C هي الأفضل — אקמי \u200F(Acme)"

const rowsOf = (one: AdapterCase): ReadonlyArray<Row> => {
  const failing = (status: number, reason: string, retryable: boolean): Row => ({
    name: `${status}`,
    script: reply(status, one.error(status, "no")),
    expected: failed(reason, status, retryable)
  })
  const zipped = gzipSync(JSON.stringify(one.answer("Acme.")))
  return [
    { name: "answer", script: reply(200, one.answer("Acme.")), expected: answered("Acme.") },
    {
      name: "answer with citations",
      script: reply(200, one.withCitations.body),
      expected: answered(one.withCitations.text, "stop", 2)
    },
    {
      name: "several parts",
      script: reply(200, one.severalParts.body),
      expected: expect.objectContaining({ finish: "stop", text: one.severalParts.text })
    },
    ...one.refusal === undefined ? [] : [{
      name: "refusal",
      script: reply(200, one.refusal.body),
      expected: orRefused(one.refusal.text, "refusal")
    }],
    ...one.safety === undefined ? [] : [{
      name: "safety stop",
      script: reply(200, one.safety.body),
      expected: orRefused(one.safety.text, one.safety.finish)
    }],
    { name: "length stop", script: reply(200, one.length.body), expected: answered(one.length.text, "length") },
    { name: "length stop in reasoning", script: reply(200, one.onlyReasoning), expected: failed("empty", 200, false) },
    failing(400, "rejected", false),
    failing(401, "auth", false),
    failing(403, "auth", false),
    { ...failing(404, "ended", false), name: "404 (model)" },
    failing(410, "ended", false),
    failing(408, "unavailable", true),
    failing(409, "unavailable", true),
    {
      name: "429, Retry-After: 30",
      script: reply(429, one.error(429, "slow down"), { "retry-after": "30" }),
      expected: { ...failed("throttled", 429, true), retryAfterMs: 30_000 }
    },
    {
      name: "429, Retry-After: a past date",
      script: reply(429, one.error(429, "slow down"), { "retry-after": "Thu, 01 Jan 2026 00:00:00 GMT" }),
      expected: { ...failed("throttled", 429, true), retryAfterMs: 0 }
    },
    {
      name: "429, Retry-After: a date years ahead",
      script: reply(429, one.error(429, "slow down"), { "retry-after": "Fri, 01 Jan 2100 00:00:00 GMT" }),
      expected: { ...failed("throttled", 429, true), retryAfterMs: 3_600_000 }
    },
    failing(500, "unavailable", true),
    failing(503, "unavailable", true),
    failing(529, "unavailable", true),
    {
      name: "slow headers",
      script: () => undefined,
      fields: { timeout: "100 millis" },
      expected: failed("timeout", null, true)
    },
    {
      name: "drip body",
      script: drip(" ", 5),
      fields: { timeout: "100 millis" },
      expected: failed("timeout", null, true)
    },
    { name: "cut body", script: cut, expected: failed("malformed", 200, true) },
    { name: "50 MB body", script: huge("{\"a\":\"").script, expected: failed("too_large", 200, false) },
    { name: "gzip", script: reply(200, zipped, { "content-encoding": "gzip" }), expected: answered("Acme.") },
    {
      name: "broken gzip",
      script: reply(200, zipped.subarray(0, 40), { "content-encoding": "gzip" }),
      expected: failed("malformed", 200, true)
    },
    { name: "HTML", script: reply(200, "<!doctype html><p>Hi"), expected: failed("malformed", 200, true) },
    { name: "empty", script: reply(200, ""), expected: failed("malformed", 200, true) },
    { name: "wrong shape: {}", script: reply(200, {}), expected: failed("malformed", 200, true) },
    { name: "wrong shape: []", script: reply(200, []), expected: failed("malformed", 200, true) },
    { name: "wrong shape: null", script: reply(200, "null"), expected: failed("malformed", 200, true) },
    {
      name: "error under 200",
      script: reply(200, { error: { message: "upstream", code: 429 } }),
      expected: failed("throttled", 200, true)
    },
    { name: "no text", script: reply(200, one.answer(" \n")), expected: failed("empty", 200, true) },
    {
      name: "U+0000 and a lone surrogate",
      script: reply(200, one.answer("A\0B\uD800C")),
      expected: answered("A\0B\uD800C")
    },
    { name: "right-to-left text", script: reply(200, one.answer(rightToLeft)), expected: answered(rightToLeft) }
  ]
}

const outcomes = new Map<string, Map<string, string>>()
const note = (row: string, adapter: string, outcome: object) => {
  const shown = "reason" in outcome && "retryable" in outcome
    ? `${String(outcome.reason)}${outcome.retryable === true ? ", retry" : ""}${
      "retryAfterMs" in outcome ? ` after ${Number(outcome.retryAfterMs) / 1000} s` : ""
    }`
    : `answer, ${"finish" in outcome ? String(outcome.finish) : ""}${
      "citations" in outcome && outcome.citations !== 0 ? `, ${String(outcome.citations)} citations` : ""
    }`
  outcomes.set(row, (outcomes.get(row) ?? new Map<string, string>()).set(adapter, shown))
}

afterAll(() => {
  if (process.env["SOV_SHOW_OUTCOMES"] === undefined) return
  const names = allCases.map(({ adapter }) => adapter)
  const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
  const body = [...outcomes].map(([row, by]) => line([row, ...names.map((name) => by.get(name) ?? "")]))
  console.log([line(["situation", ...names]), line(["", ...names].map(() => "---")), ...body].join("\n"))
})

describe.each(allCases)("$adapter", (one) => {
  it.each(rowsOf(one))("the adapter passes the conformance test: $name", async ({ expected, fields, name, script }) => {
    const asked = await ask(one, script, fields)
    note(name, one.adapter, outcomeOf(asked))
    expect(outcomeOf(asked)).toEqual(expected)
    expect(asked.requests).toHaveLength(1)
  })

  it("the adapter sends its key to its endpoint in the header, and nowhere else", async () => {
    const { requests } = await ask(one, reply(200, one.answer("Acme.")))
    const [request] = requests
    expect([request?.method, request?.path]).toEqual(["POST", `/v1${one.path}`])
    const [header, before] = one.key
    expect(request?.headers[header]).toBe(`${before}${canary}`)
    const { [header]: _, ...others } = request!.headers
    expect(JSON.stringify(others) + request!.path + request!.body).not.toContain("canary")
  })

  it("without a key, the adapter sends none, and reports if the server requires one", async () => {
    const { error, headers } = await live(Effect.gen(function*() {
      const fake = yield* makeFakePlatform(reply(401, one.error(401, "no key")))
      const error = yield* Effect.flip(platformFrom(one.adapter, fake.baseUrl).ask("x"))
      return { error, headers: fake.requests[0]!.headers }
    }))
    expect(headers[one.key[0]]).toBeUndefined()
    expect(error.message).toMatch(/no apiKeyEnv is set/)
  })

  it("the adapter keeps the payload byte for byte, and reads usage and model from the answer", async () => {
    const body = JSON.stringify(one.answer("Acme."), null, 3)
    const { exit } = await ask(one, reply(200, body))
    if (Exit.isFailure(exit)) throw new Error(JSON.stringify(exit))
    expect(Buffer.from(exit.value.payload).toString()).toBe(body)
    expect(exit.value.usage).toEqual(one.usage)
    expect(exit.value.model).not.toBe("test-model")
    expect(body).toContain(exit.value.model)
  })

  it("the adapter returns citations in the common format", async () => {
    const { exit } = await ask(one, reply(200, one.withCitations.body))
    if (Exit.isFailure(exit)) throw new Error(JSON.stringify(exit))
    expect(exit.value.citations).toEqual(one.withCitations.citations)
  })

  it("the adapter never follows a redirect to another origin", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { asked, others } = await live(Effect.gen(function*() {
        const other = yield* makeFakePlatform(reply(200, one.answer("stolen")))
        const asked = yield* Effect.promise(() => ask(one, reply(status, "", { location: `${other.origin}/steal` })))
        return { asked, others: other.requests }
      }))
      expect(others).toEqual([])
      expect(outcomeOf(asked)).toEqual(failed("rejected", status, false))
      note("redirect to another origin", one.adapter, outcomeOf(asked))
    }
  })

  it("the adapter stops reading a 50 MB body at its limit", async () => {
    const { script, sent } = huge("{\"a\":\"")
    await ask(one, script)
    expect(sent()).toBeLessThan(16_000_000)
  })

  it("the adapter redacts a key that the server repeats", async () => {
    const echo: Script = (response, request) =>
      reply(400, one.error(400, `got ${String(request.headers[one.key[0]])}`))(response, request)
    const { exit } = await ask(one, echo)
    expect(Effect.runSync(Effect.flip(exit)).excerpt).toContain("[redacted]")
  })
})

for (const one of allCases) {
  const play = (script: Script, fields: object = {}) =>
    Effect.map(makeFakePlatform(one.around?.(script) ?? script), ({ asked, baseUrl, aborted }) => ({
      platform: platformFrom(one.adapter, baseUrl, { maxAnswerBytes: 65_536, ...one.fields, ...fields }, canary),
      secret: canary,
      asked,
      aborted: aborted
    }))
  answerPlatformContract(one.adapter, {
    answers: play(reply(200, one.withCitations.body)),
    silent: play(() => undefined),
    says: (text) => play(reply(200, one.answer(text))),
    drips: play(drip(" ", 5)),
    oversized: play(drip("x".repeat(20_000), 1)),
    echoesSecret: play((response, request) =>
      reply(400, one.error(400, `got ${String(request.headers[one.key[0]])}`))(response, request)
    ),
    answersSecret: play((response, request) => {
      const key = String(request.headers[one.key[0]]).slice(one.key[1].length)
      reply(200, one.answer(`Acme. ${key}`))(response, request)
    }),
    fails: {
      auth: play(reply(401, one.error(401, "bad key"))),
      rejected: play(reply(422, one.error(422, "no such parameter"))),
      ended: play(reply(404, one.error(404, "no such model"))),
      throttled: play(reply(429, one.error(429, "slow down"), { "retry-after": "7" })),
      ...one.heldBack === undefined ? {} : { refused: play(reply(200, one.heldBack)) },
      empty: play(reply(200, one.answer(""))),
      too_large: play(reply(200, one.answer("x".repeat(70_000)))),
      malformed: play(reply(200, "<!doctype html>")),
      unavailable: play(reply(503, "busy"))
    }
  }, { describe, it })
}
