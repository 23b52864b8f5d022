/** How both clients handle responses, over a real socket; then the same operations against the real server. */
import { createOperatorKey, evidenceCriteria, readSpotOdds, spotCheckJson, spotScans, wholeHistory } from "@sov/core"
import { addScan, at, seedAnswers } from "@sov/core/testing"
import { archiveRows, makeClient } from "@sov/http/client"
import type { ArchivePage, ArchiveRow, Scan, StartedScan, StartScan, Summary } from "@sov/http/contract"
import type * as Contract from "@sov/http/contract"
import * as plain from "@sov/http/fetch-client"
import { Effect, Redacted, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { openApi, tenant, type TestApi } from "../support/apiServer.ts"
import { completeScan } from "../support/completeScan.ts"
import { homes } from "../support/homes.ts"
import { json, problem, type Script, scriptedHttp } from "../support/scriptedHttp.ts"

// `npm run docs` generates plain types from the contract: each must be assignable to the other
type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false
type Deep<A> = A extends ReadonlyArray<infer E> ? ReadonlyArray<Deep<E>>
  : A extends object ? { readonly [K in keyof A]: Deep<A[K]> }
  : A
const same: readonly [
  Same<plain.Summary, Deep<typeof Summary.Encoded>>,
  Same<plain.Evidence, Deep<typeof Contract.Evidence.Encoded>>,
  Same<plain.Scan, Deep<typeof Scan.Encoded>>,
  Same<plain.StartScan, Deep<typeof StartScan.Encoded>>,
  Same<plain.StartedScan, Deep<typeof StartedScan.Encoded>>,
  Same<plain.ArchiveRow, Deep<typeof ArchiveRow.Encoded>>,
  Same<plain.ArchivePage, Deep<typeof ArchivePage.Encoded>>,
  Same<plain.Organization, Deep<typeof Contract.Organization.Encoded>>,
  Same<plain.CreateOrganization, Deep<typeof Contract.CreateOrganization.Encoded>>,
  Same<plain.Usage, Deep<typeof Contract.Usage.Encoded>>,
  Same<plain.DeletionList, Deep<typeof Contract.DeletionList.Encoded>>,
  Same<plain.InvitedMember, Deep<typeof Contract.InvitedMember.Encoded>>
] = [true, true, true, true, true, true, true, true, true, true, true, true]
void same

const apiKey = `sov_live_${"k".repeat(49)}`
const started = { scan_id: "01a1fdc2-f7b1-73c0-9311-cd01e31ffc66", status: "running", estimated_seconds: 7 }
const client = (baseUrl: string, options: Partial<plain.ClientOptions> = {}) =>
  new plain.SovClient({ baseUrl, apiKey, ...options })
const cut: Script = (response) => response.destroy()
const silent: Script = () => undefined
const failure = <E extends Error>(
  kind: new(...args: ReadonlyArray<never>) => E,
  promise: Promise<unknown>
): Promise<E> =>
  promise.then(
    () => Promise.reject(new Error("it succeeded")),
    (error: unknown) => error instanceof kind ? error : Promise.reject(error as Error)
  )

const idsOf = async (rows: AsyncIterable<plain.ArchiveRow>): Promise<ReadonlyArray<string>> => {
  const ids = []
  for await (const { id } of rows) ids.push(id)
  return ids
}

describe("the client on fetch", () => {
  it("the client sends key, parameters and body as documented", async () => {
    const { base, seen } = await scriptedHttp(json(200, { data: [], meta: { next_cursor: null } }), json(202, started))
    const sov = client(`${base}/`)
    await sov.archive({ keyword_id: "a b", platform: "assistant_a", from: "2026-01-01", limit: 7, cursor: "c+/=" })
    expect(await sov.startScan({ platforms: ["assistant_b"] }, { idempotencyKey: "night 1" })).toEqual(started)
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/v1/archive?keyword_id=a+b&platform=assistant_a&from=2026-01-01&limit=7&cursor=c%2B%2F%3D",
      "POST /api/v1/scans"
    ])
    expect(seen[1]!.headers).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": "night 1"
    })
    expect(JSON.parse(seen[1]!.body)).toEqual({ platforms: ["assistant_b"] })
  })

  it("the client retries a start with the same Idempotency-Key, and uses another one for the next start", async () => {
    const failures: ReadonlyArray<readonly [Script, Script]> = [
      [cut, problem(503, "unavailable", {}, { "retry-after": "0" })],
      [
        problem(409, "idempotency-in-progress", {}, { "retry-after": "0" }),
        (response) => void response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway")
      ]
    ]
    await Promise.all(failures.map(async (scripts) => {
      const { base, seen } = await scriptedHttp(...scripts, json(202, started))
      const told: Array<number> = []
      const sov = client(base, { onRetry: ({ attempt }) => told.push(attempt) })
      expect(await sov.startScan()).toEqual(started)
      await sov.startScan()
      const keys = seen.map(({ headers }) => headers["idempotency-key"])
      expect([keys[1], keys[2]]).toEqual([keys[0], keys[0]])
      expect(keys).toHaveLength(4)
      expect(keys[3]).not.toBe(keys[0])
      expect(told).toEqual([1, 2])
    }))
  })

  it("the client waits as long as Retry-After says, but not longer than maxWaitMs", async () => {
    const limited = await scriptedHttp(
      problem(429, "rate-limited", {}, { "retry-after": "1" }),
      json(200, { scans: [] })
    )
    const begun = performance.now()
    await client(limited.base).listScans({ limit: 3 })
    expect(performance.now() - begun).toBeGreaterThan(990)
    expect(limited.seen.map(({ path }) => path)).toEqual(["/api/v1/scans?limit=3", "/api/v1/scans?limit=3"])

    const members = { detail: "100 of 100", resets_at: "2026-12-01T00:00:00.000Z", request_id: "req_1" }
    const spent = await scriptedHttp(problem(429, "scan-quota-exhausted", members, { "retry-after": "864000" }))
    const error = await failure(plain.SovProblem, client(spent.base).startScan())
    expect(error.message).toBe("Title of scan-quota-exhausted: 100 of 100")
    expect(error.problem).toMatchObject({ type: "/problems/scan-quota-exhausted", status: 429, ...members })
    expect(error.retryAfter).toBe(864_000)
    expect(spent.seen).toHaveLength(1)
  })

  it("permanent failures are not retried", async () => {
    for (const [status, slug] of [[400, "invalid-request"], [401, "invalid-key"], [403, "plan-required"]] as const) {
      const { base, seen } = await scriptedHttp(problem(status, slug))
      expect((await failure(plain.SovProblem, client(base).sov())).problem.type).toBe(`/problems/${slug}`)
      expect(seen).toHaveLength(1)
    }
  })

  it("the error message names the invalid fields of a request", async () => {
    const errors = [
      { path: ["query", "limit"], message: "must be 1 to 100" },
      { path: ["body", "keyword_ids", 3], message: "must be an id" }
    ]
    const messages = []
    for (const said of [errors, [], ["x"], "x"]) {
      const { base } = await scriptedHttp(problem(400, "invalid-request", { errors: said }))
      messages.push((await failure(plain.SovProblem, client(base).sov())).message)
    }
    const title = "Title of invalid-request"
    expect(messages).toEqual([
      `${title}: query.limit must be 1 to 100; body.keyword_ids.3 must be an id`,
      title,
      title,
      title
    ])
  })

  it("a response from another program becomes a problem, and the key is sent to no other server", async () => {
    const other = await scriptedHttp(json(200, {}))
    const { base, seen } = await scriptedHttp(
      (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome"),
      (response) => void response.writeHead(302, { location: `${other.base}/api/v1/sov` }).end(),
      json(200, [1]),
      json(200, { toString: 1 })
    )
    const sov = client(base)
    const titles = []
    for (let i = 0; i < 4; i++) titles.push((await failure(plain.SovProblem, sov.sov())).problem)
    expect(titles.map(({ status, type }) => [status, type])).toEqual(
      [200, 302, 200, 200].map((one) => [one, "about:blank"])
    )
    expect(titles.map(({ title }) => title).join("\n")).toMatch(
      /check the address\n.*redirects.*\n(.*check the address\n?){2}$/
    )
    expect(seen).toHaveLength(4)
    expect(other.seen).toHaveLength(0)
  })

  it("the client gives up after its timeout, and immediately when its signal aborts", async () => {
    const { base } = await scriptedHttp(silent)
    // Counted here: on a busy machine the timeout may pass before a request arrives
    const fetches = vi.spyOn(globalThis, "fetch")
    const late = await failure(plain.SovUnreachable, client(base, { timeoutMs: 100, retries: 1 }).sov())
    expect(late.message).toBe(`${base} does not answer: no answer within 0.1 s`)
    expect(fetches).toHaveBeenCalledTimes(2)
    fetches.mockRestore()
    const closed = await failure(plain.SovUnreachable, client("http://127.0.0.1:1", { retries: 0 }).sov())
    expect(closed.message).toBe("http://127.0.0.1:1 does not answer: no connection")

    const during = new AbortController()
    setTimeout(() => during.abort(new Error("enough")), 50)
    await expect(client(base).sov({ signal: during.signal })).rejects.toThrow("enough")
    const waiting = new AbortController()
    const rateLimited = problem(429, "rate-limited", {}, { "retry-after": "30" })
    const limited = await scriptedHttp((response, request) => {
      rateLimited(response, request)
      setTimeout(() => waiting.abort(new Error("enough")), 50)
    })
    await expect(client(limited.base).sov({ signal: waiting.signal })).rejects.toThrow("enough")
    await expect(client(limited.base).sov({ signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before")
    expect(limited.seen).toHaveLength(1)
  })

  it("the client follows cursors to the end with the same filters, and stops if a cursor repeats", async () => {
    const page = (ids: ReadonlyArray<string>, next_cursor: string | null) =>
      json(200, { data: ids.map((id) => ({ id })), meta: { next_cursor } })
    const { base, seen } = await scriptedHttp(page(["a", "b"], "1"), page([], "2"), page(["c"], null))
    const rows = await idsOf(client(base).archiveRows({ platform: "assistant_a" }))
    expect(rows).toEqual(["a", "b", "c"])
    expect(seen.map(({ path }) => path)).toEqual(
      ["", "&cursor=1", "&cursor=2"].map((more) => `/api/v1/archive?platform=assistant_a&limit=100${more}`)
    )
    const circle = await scriptedHttp(page(["a"], "1"))
    await expect(idsOf(client(circle.base).archiveRows())).rejects.toThrow("same cursor")
    expect(circle.seen).toHaveLength(2)
  })

  it("invalid URLs and keys are refused without showing the key", () => {
    for (const baseUrl of ["localhost:4680", "ftp://host", "", "http://user:secret@host"]) {
      expect(() => client(baseUrl)).toThrow(/^baseUrl must/)
    }
    for (const bad of ["", "a b", "secret\n", "schlüssel"]) {
      const made = () => client("http://localhost", { apiKey: bad })
      expect(made).toThrow(TypeError)
      expect(made).not.toThrow(/secret|schl/)
    }
  })
})

const effectClient = (baseUrl: string) => makeClient({ baseUrl, apiKey: Redacted.make(apiKey) })
const runEffect = <A, E>(effect: Effect.Effect<A, E, import("effect/http").HttpClient.HttpClient>) =>
  Effect.runPromise(Effect.provide(effect, FetchHttpClient.layer))

describe("the client for Effect", () => {
  it("the client stops if a cursor repeats", async () => {
    const circle = await scriptedHttp(json(200, {
      data: [],
      meta: { count: 0, next_cursor: "1", plan_window_applied: false, window_start: "2026-01-01T00:00:00.000Z" }
    }))
    const read = Effect.flatMap(effectClient(circle.base), (sov) => Stream.runDrain(archiveRows(sov)))
    await expect(runEffect(read)).rejects.toThrow("same cursor")
    expect(circle.seen).toHaveLength(2)
  })

  it("the client retries a start with the same Idempotency-Key", async () => {
    const { base, seen } = await scriptedHttp(
      cut,
      problem(503, "unavailable", { retry_after: 0 }, { "retry-after": "0" }),
      json(202, started)
    )
    expect(await runEffect(Effect.flatMap(effectClient(base), (sov) => sov.startScan({ headers: {}, payload: null }))))
      .toEqual(started)
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${apiKey}`))
    expect(seen[0]!.headers["idempotency-key"]).toMatch(/^[\da-f-]{36}$/)
    expect(new Set(seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
  })

  it("a failure is a tagged problem of the contract, and the client does not retry until next month", async () => {
    const spent = { limit: 4, used: 4, resets_at: "2026-12-01T00:00:00.000Z", retry_after: 864_000 }
    const { base, seen } = await scriptedHttp(
      problem(429, "scan-quota-exhausted", spent, { "retry-after": "864000" })
    )
    const error = await runEffect(
      effectClient(base).pipe(
        Effect.flatMap((sov) => sov.startScan({ headers: { "idempotency-key": "mine" }, payload: {} })),
        Effect.catchTag("ScanQuotaExhausted", (quota) => Effect.succeed(quota))
      )
    )
    expect(error).toMatchObject(spent)
    expect(seen.map(({ headers }) => headers["idempotency-key"])).toEqual(["mine"])
  })
})

describe("both clients on a real server", () => {
  let api: TestApi
  let who: Effect.Success<ReturnType<typeof tenant>>
  let ids: ReadonlyArray<string>
  beforeAll(async () => {
    api = await openApi(homes.at(-1)!)
    await api.run(Effect.gen(function*() {
      who = yield* tenant()
      const scans = yield* Effect.forEach(
        [0, 1, 2],
        (n) => addScan(who.organizationId, who.keywords, { startedAt: at(n) })
      )
      for (const { cells } of scans) yield* seedAnswers({ organizationId: who.organizationId, cells })
      yield* completeScan(who.organizationId, scans[0]!.scan.id, 33.5)
    }))
  })
  afterAll(() => api.close())

  it("the fetch client reads, pages and starts scans", async () => {
    const sov = new plain.SovClient({ baseUrl: api.base, apiKey: who.key, retries: 0 })
    const summary = await sov.sov()
    expect(summary.avg_sov).toBe(34)
    const { scans } = await sov.listScans({ limit: 2 })
    expect(scans.map(({ status }) => status)).toEqual(["running", "running"])
    ids = (await sov.archive({ limit: 100 })).data.map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(6)
    expect(await idsOf(sov.archiveRows({ limit: 2 }))).toEqual(ids)
    const idempotencyKey = "\"night, 1\""
    const first = await sov.startScan({ platforms: ["assistant_a"] }, { idempotencyKey })
    expect(first).toMatchObject({ status: "running", estimated_seconds: expect.any(Number) })
    expect(await sov.startScan({ platforms: ["assistant_a"] }, { idempotencyKey })).toEqual(first)
    const other = await failure(plain.SovProblem, sov.startScan({ platforms: ["assistant_b"] }, { idempotencyKey }))
    expect(other.problem.type).toBe("/problems/idempotency-mismatch")
    const refused = await failure(plain.SovProblem, sov.archive({ from: "2026-02-30" }))
    expect(refused.problem.errors?.map(({ path }) => path.join("."))).toEqual(["query.from"])
  })

  it("both operator clients create organizations, page through them, and read usage and exports", async () => {
    const { secret } = await api.run(createOperatorKey("clients"))
    const operator = new plain.SovOperatorClient({ baseUrl: api.base, apiKey: secret, retries: 0 })
    const made = await operator.createOrganization({ name: "By fetch" }, { idempotencyKey: "fetch" })
    expect(await operator.createOrganization({ name: "By fetch" }, { idempotencyKey: "fetch" })).toEqual(made)
    const { key } = await operator.createKey(made.slug, { name: "app" })
    expect((await new plain.SovClient({ baseUrl: api.base, apiKey: key }).listScans()).scans).toEqual([])
    const names: Array<string> = []
    for await (const { name } of operator.organizations()) names.push(name)
    expect(names).toContain("By fetch")
    expect((await operator.usage({ organization: made.slug })).organizations).toMatchObject([{ scans: 0, answers: 0 }])
    expect((await operator.usageCsv()).split("\r\n")[0]).toMatch(/^month,organization_id,/)
    const zip = await new Response(await operator.exportOrganization(made.slug)).arrayBuffer()
    expect(Buffer.from(zip).subarray(0, 2).toString()).toBe("PK")
    const foreign = await failure(plain.SovProblem, operator.getOrganization("nobody"))
    expect(foreign.problem).toMatchObject({ type: "/problems/not-found", status: 404 })
    await runEffect(Effect.gen(function*() {
      const sov = yield* makeClient({ baseUrl: api.base, apiKey: Redacted.make(secret) })
      const organization = yield* sov.createOrganization({ headers: {}, payload: { name: "By Effect" } })
      const params = { organization: organization.slug }
      expect((yield* sov.suspendOrganization({ params, payload: null })).suspended).not.toBeNull()
      expect((yield* sov.resumeOrganization({ params })).suspended).toBeNull()
      expect((yield* sov.usage({ query: {} })).total.answers).toBeGreaterThanOrEqual(0)
      expect(yield* sov.usageCsv({ query: {} })).toContain(organization.id)
      expect((yield* sov.exportOrganization({ params })).length).toBeGreaterThan(100)
      const missing = yield* Effect.flip(sov.getOrganization({ params: { organization: "nobody" } }))
      expect(missing._tag).toBe("ResourceNotFound")
    }))
  })

  it("the Effect client reads, pages and starts scans", () =>
    runEffect(Effect.gen(function*() {
      const sov = yield* makeClient({ baseUrl: api.base, apiKey: Redacted.make(who.key) })
      expect((yield* sov.sov({})).avg_sov).toBe(34)
      const { definitions } = yield* sov.definitions({})
      expect(definitions.map(({ definition, names }) => [definition, names[0]?.competitor_id]).slice(0, 2)).toEqual([
        ["share", null],
        ["mention_rate", null]
      ])
      const odds = spotCheckJson(
        yield* Effect.promise(() => api.run(readSpotOdds(who.organizationId, wholeHistory, spotScans)))
      )
      expect(odds.odds).not.toBeNull()
      expect(yield* sov.odds({})).toEqual(odds)
      expect(yield* Effect.promise(() => client(api.base, { apiKey: who.key }).odds())).toEqual(odds)
      const counted = yield* Effect.promise(() => client(api.base, { apiKey: who.key }).definitions())
      expect(counted.definitions).toEqual(definitions)
      const { criteria, grade } = yield* sov.evidence({})
      expect([grade, criteria.map(({ criterion }) => criterion)]).toEqual(["exploratory", [...evidenceCriteria]])
      const plainly = yield* Effect.promise(() => client(api.base, { apiKey: who.key }).evidence())
      expect(plainly.next).toMatchObject({ grade: "directional" })
      expect((yield* sov.listScans({ query: { limit: 2 } })).scans).toHaveLength(2)
      const rows = yield* Stream.runCollect(archiveRows(sov, { platform: "assistant_a" }))
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.every(({ id, platform }) => platform === "assistant_a" && ids.includes(id))).toBe(true)
      expect((yield* sov.startScan({ headers: {}, payload: {} })).status).toBe("running")
      const unknown = "01a1fdc2-f7b1-73c0-9311-cd01e31ffc66"
      const tag = yield* sov.startScan({ headers: {}, payload: { keyword_ids: [unknown] } }).pipe(
        Effect.as("started"),
        Effect.catchTag("UnknownKeyword", ({ detail }) => Effect.succeed(detail))
      )
      expect(tag).toBe(`No active keyword ${unknown}`)
    })))
})
