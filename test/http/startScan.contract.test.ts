/** POST /api/v1/scans: bodies, Idempotency-Key, quota and clocks, over a real socket on both homes. */
import { addView, KeywordStore, OrganizationStore, QuotaLedger, quotaPeriod, ScanStore } from "@sov/core"
import { addScan, seedAnswers } from "@sov/core/testing"
import { ArchivePage } from "@sov/http/contract"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exactly, expectProblem, json, paths, post } from "../support/apiAnswers.ts"
import { type Ask, openApi, tenant, type TestApi } from "../support/apiServer.ts"
import { homes } from "../support/homes.ts"

type Tenant = Effect.Success<ReturnType<typeof tenant>>

describe.each(homes)("starting scans by REST on the %s home", (home) => {
  let api: TestApi
  let other: Tenant
  beforeAll(async () => {
    api = await openApi(home)
    other = await api.run(tenant())
  })
  afterAll(() => api.close())
  const used = (who: Tenant) =>
    api.run(Effect.flatMap(QuotaLedger, (ledger) => ledger.used(who.organizationId, quotaPeriod(new Date()))))

  it("bodies are parsed strictly, and each valid one starts a scan", async () => {
    const own = await api.run(tenant({ plan: "enterprise" }))
    const ids = own.keywords.map(({ id }) => id)
    const good: ReadonlyArray<Ask> = [
      post(own.key, undefined, {}),
      post(own.key, ""),
      post(own.key, "null"),
      post(own.key, "{}"),
      post(own.key, "{\"unknown\":1,\"platform\":[]}"),
      post(own.key, "{\"__proto__\":{\"samples\":9}}"),
      post(own.key, `{"unknown":${"[".repeat(20_000)}${"]".repeat(20_000)}}`),
      post(own.key, "{}", { "content-type": "application/vnd.acme+json; charset=UTF-8" }),
      post(own.key, "", { "content-type": "text/plain" }),
      post(own.key, JSON.stringify({ keyword_ids: [ids[0]!.toUpperCase()], platforms: ["assistant_b"] }))
    ]
    for (const one of good) {
      expect(await api.ask("/api/v1/scans", one), String(one.body).slice(0, 50)).toMatchObject({ status: 202 })
    }
    expect(await used(own)).toBe(good.length)
    const last = await api.run(Effect.flatMap(ScanStore, (store) => store.list(own.organizationId, { limit: 1 })))
    expect([last[0]!.platforms, last[0]!.cellCount, last[0]!.samples]).toEqual([["assistant_b"], 1, 1])

    const bad: ReadonlyArray<readonly [string | Uint8Array, string]> = [
      ["[]", "body"],
      ["\"x\"", "body"],
      ["1", "body"],
      ["{bad", "body"],
      [Buffer.from("7b2278223a22ff227d", "hex"), "body"],
      ["\uFEFF{}", "body"],
      ["{\"keyword_ids\":\"x\"}", "body.keyword_ids"],
      ["{\"keyword_ids\":[]}", "body.keyword_ids"],
      [
        JSON.stringify({
          keyword_ids: Array.from({ length: 501 }, (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`)
        }),
        "body.keyword_ids"
      ],
      [JSON.stringify({ keyword_ids: [ids[0], ids[0]] }), "body.keyword_ids"],
      ["{\"platforms\":[\"nope\"]}", "body.platforms.0"],
      ["{\"platforms\":null}", "body.platforms"],
      ["{\"keyword_ids\":[1]}", "body.keyword_ids.0"],
      ["{\"platforms\":[{}]}", "body.platforms.0"],
      ["[".repeat(20_000) + "]".repeat(20_000), "body"]
    ]
    for (const [body, where] of bad) {
      const problem = expectProblem(await api.ask("/api/v1/scans", post(own.key, body)), 400, "invalid-request")
      expect(paths(problem), String(body).slice(0, 50)).toEqual([where])
      expect(problem["errors"]).toEqual([expect.objectContaining({ message: expect.stringMatching(/^must /) })])
    }
    const many = JSON.stringify({ keyword_ids: Array.from({ length: 30 }, () => 1) })
    expect(paths(expectProblem(await api.ask("/api/v1/scans", post(own.key, many)), 400, "invalid-request")))
      .toHaveLength(20)
    const types = [{ "content-type": "text/plain" }, { "content-type": "application/json; charset=utf-16" }, {}, {
      ...json,
      "content-encoding": "gzip"
    }]
    for (const headers of types) {
      expectProblem(await api.ask("/api/v1/scans", post(own.key, "{}", headers)), 415, "unsupported-media-type")
    }
    const unknown = other.keywords[0]!.id
    expectProblem(
      await api.ask("/api/v1/scans", post(own.key, JSON.stringify({ keyword_ids: [unknown] }))),
      422,
      "unknown-keyword"
    )
    expectProblem(
      await api.ask("/api/v1/scans", post(own.key, "{\"platforms\":[\"assistant_e\"]}")),
      422,
      "platform-not-configured"
    )
    await api.run(
      Effect.flatMap(
        KeywordStore,
        (store) => Effect.forEach(ids, (id) => store.setStatus(own.organizationId, id as never, "paused"))
      )
    )
    expectProblem(await api.ask("/api/v1/scans", post(own.key)), 422, "no-keywords")
    expect(await used(own)).toBe(good.length)
  })

  it("one Idempotency-Key starts one scan, however many requests arrive at the same time", async () => {
    const own = await api.run(tenant())
    const keyed = (key: string, body = "{}", who = own.key) =>
      api.ask("/api/v1/scans", post(who, body, { ...json, "idempotency-key": key }))
    const answers = await Promise.all(Array.from({ length: 50 }, () => keyed("one")))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([`202 ${answers[0]!.text}`])
    )
    expect(answers.filter(({ headers }) => headers["idempotent-replayed"] === undefined)).toHaveLength(1)
    expect(await used(own)).toBe(1)
    // The quoted key is the same key, and unknown members in the body do not make it a different request
    expect((await keyed("\"one\"", "{\"x\":1}")).text).toBe(answers[0]!.text)
    expectProblem(await keyed("one", "{\"platforms\":[\"assistant_a\"]}"), 422, "idempotency-mismatch")
    expect((await keyed("one", "{}", other.key)).headers["idempotent-replayed"]).toBeUndefined()
    for (const key of ["", "x".repeat(256), "ü"]) {
      expect(paths(expectProblem(await keyed(key), 400, "invalid-request"))).toEqual(["header.idempotency-key"])
    }
    // A day later the key starts another scan
    api.clock.ms = 86_400_000 + 1_000
    const later = await keyed("one").finally(() => api.clock.ms = 0)
    expect([later.status, later.headers["idempotent-replayed"], later.text === answers[0]!.text]).toEqual([
      202,
      undefined,
      false
    ])
  })

  it("scans beyond the monthly quota are refused, each month counts separately, and responses say what is left", async () => {
    const none = await api.run(tenant({ scanQuota: 0 }))
    expectProblem(await api.ask("/api/v1/scans", post(none.key)), 429, "scan-quota-exhausted")
    const own = await api.run(tenant({ scanQuota: 1 }))
    const turn = Date.UTC(new Date().getUTCFullYear() + 1, 0, 1)
    api.clock.stoppedAt = turn - 1
    const started = await api.ask("/api/v1/scans", { ...post(own.key), headers: { ...json, "idempotency-key": "k" } })
    expect(started.headers["ratelimit"]).toMatch(/^"scans";r=0;t=1$/)
    expect(started.headers["ratelimit-policy"]).toBe("\"scans\";q=1;qu=\"requests\";w=2678400")
    api.clock.stoppedAt = turn - 60_000
    const answer = await api.ask("/api/v1/scans", post(own.key))
    const problem = expectProblem(answer, 429, "scan-quota-exhausted")
    expect(problem).toMatchObject({ limit: 1, used: 1, resets_at: new Date(turn).toISOString() })
    expect(answer.headers["retry-after"]).toBe("60")
    api.clock.stoppedAt = turn
    expect((await api.ask("/api/v1/scans", post(own.key))).status).toBe(202)
    api.clock.stoppedAt = null
  })

  it("a start for several views is refused before any scan starts when fewer units are left than scans", async () => {
    const own = await api.run(tenant({ scanQuota: 2 }))
    const add = (name: string) =>
      api.run(addView(own.organizationId, { name, country: "DE", language: null, context: null }))
    await add("germany")
    const keyed = (key: string) => api.ask("/api/v1/scans", post(own.key, "{}", { ...json, "idempotency-key": key }))
    const started = await keyed("one")
    expect([started.status, await used(own)]).toEqual([202, 2])
    expect((await keyed("one")).text).toBe(started.text)
    await api.run(Effect.flatMap(OrganizationStore, (store) => store.setScanQuota(own.organizationId, 3)))
    expectProblem(await keyed("two"), 429, "scan-quota-exhausted")
    expect(await used(own)).toBe(2)
  })

  it("scans can be started after the clock was set back", async () => {
    const own = await api.run(tenant({ scanQuota: 0 }))
    await api.run(Effect.gen(function*() {
      const { cells } = yield* addScan(own.organizationId, own.keywords)
      yield* seedAnswers({ organizationId: own.organizationId, cells })
    }))
    const first = await api.ask("/api/v1/archive?limit=1", { key: own.key })
    const cursor = exactly(ArchivePage, first.json).meta.next_cursor
    await api.ask("/api/v1/scans", post(own.key))
    api.clock.ms = -3_600_000
    const refused = await api.ask("/api/v1/scans", post(own.key))
    expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true])
    expect((await api.ask(`/api/v1/archive?limit=1&cursor=${cursor}`, { key: own.key })).status).toBe(200)
    api.clock.ms = 0
  })
})
