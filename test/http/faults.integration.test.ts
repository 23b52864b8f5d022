/**
 * Malformed HTTP, slow clients, an unavailable database, failing handlers: how the server responds, and that it keeps
 * running.
 */
import { layerServer, layerStores } from "@sov/core/postgres"
import { layerLogs, layerRoute, makeProblemResponse } from "@sov/http"
import { problemTypes } from "@sov/http/contract"
import { Deferred, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { expectProblem, json, post } from "../support/apiAnswers.ts"
import { ask, askRaw, openApi, tenant, type TestApi } from "../support/apiServer.ts"
import { type FaultProxy, faultProxy } from "../support/faultProxy.ts"
import { homes, postgresUrl } from "../support/homes.ts"
import { freshDatabase } from "../support/storage.ts"

type Tenant = Effect.Success<ReturnType<typeof tenant>>
const secret = `sov_live_${"0".repeat(49)}`

const slowBegun = Deferred.makeUnsafe<void>()
/** Mounted routes: one that dies, one that is slow. */
const mounted = Layer.mergeAll(
  layerRoute("GET", "/dies", Effect.die(new Error(`cannot read ${secret} at postgres://sov:hunter2@db/sov`))),
  layerRoute(
    "POST",
    "/slow",
    Effect.andThen(Deferred.succeed(slowBegun, undefined), Effect.sleep("300 millis")).pipe(
      Effect.as(HttpServerResponse.text("done"))
    )
  ),
  layerRoute("GET", "/bare", Effect.succeed(HttpServerResponse.empty({ status: 422 }))),
  layerRoute("GET", "/own", Effect.succeed(makeProblemResponse(problemTypes.unavailable, { retry_after: 7 })))
)

describe("malformed requests", () => {
  let api: TestApi
  let own: Tenant
  beforeAll(async () => {
    api = await openApi(
      homes[0]!,
      // Reading a body may take longer than answering, as by default
      { timeouts: { headersMs: 1_000, requestMs: 3_000, answerMs: 2_000 }, restRate: 3, drain: "1 hour" },
      mounted,
      layerLogs(false)
    )
    own = await api.run(tenant())
  })
  afterAll(() => api.close())
  const head = (...lines: ReadonlyArray<string>) => [...lines, "", ""].join("\r\n")
  const raw = (...chunks: ReadonlyArray<string | Buffer>) => askRaw(api.port, chunks)

  it.each([
    ["nonsense", "hello\r\n\r\n", 400, "invalid-request"],
    ["an unknown method", head("BREW /api/v1/sov HTTP/1.1", "Host: localhost"), 400, "invalid-request"],
    ["no Host", head("GET /healthz HTTP/1.1"), 400, "invalid-request"],
    ["two Hosts", head("GET /healthz HTTP/1.1", "Host: localhost", "Host: evil.example"), 400, "invalid-request"],
    [
      "length and chunks",
      head("POST /api/v1/scans HTTP/1.1", "Host: localhost", "Content-Length: 4", "Transfer-Encoding: chunked") +
      "0\r\n\r\n",
      400,
      "invalid-request"
    ],
    [
      "a negative length",
      head("POST /api/v1/scans HTTP/1.1", "Host: localhost", "Content-Length: -1"),
      400,
      "invalid-request"
    ],
    [
      "a header of 20 KB",
      head("GET /healthz HTTP/1.1", "Host: localhost", `X-A: ${"a".repeat(20_000)}`),
      431,
      "headers-too-large"
    ],
    [
      "an address of 20 KB",
      head(`GET /healthz?${"a".repeat(20_000)} HTTP/1.1`, "Host: localhost"),
      431,
      "headers-too-large"
    ]
  ])("%s is refused with a problem, and the connection is closed", async (_, text, status, slug) => {
    const answer = await raw(text)
    expect([answer.status, answer.json]).toMatchObject([status, {
      type: `/problems/${slug}`,
      status,
      request_id: expect.any(String)
    }])
    expect(answer.head).toMatch(/\r\ncontent-type: application\/problem\+json/i)
    expect(answer.head).toMatch(/\r\nconnection: close/i)
    expect(answer.head).toMatch(/\r\nx-request-id: req_/i)
  })

  it("a request whose headers or body do not arrive times out, while others are answered", async () => {
    const slow = Promise.all([
      raw("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-"),
      raw(
        `${
          head(
            "POST /api/v1/scans HTTP/1.1",
            "Host: localhost",
            `Authorization: Bearer ${own.key}`,
            "Content-Type: application/json",
            "Content-Length: 100"
          )
        }{"a":`
      )
    ])
    expect((await api.ask("/healthz")).status).toBe(200)
    for (const answer of await slow) {
      expect([answer.status, answer.json]).toMatchObject([408, { type: "/problems/request-timeout" }])
    }
  })

  it("a body is read only up to its limit", async () => {
    const megabyte = Buffer.alloc(1_000_000, "a")
    const body = Array.from({ length: 30 }, () => megabyte)
    const lines = ["POST /api/v1/scans HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
    const asked = await api.run(tenant())
    const key = `Authorization: Bearer ${asked.key}`
    const declared = await raw(head(...lines, key, "Content-Length: 30000000"), ...body)
    expect([declared.status, declared.json]).toMatchObject([413, { type: "/problems/payload-too-large" }])
    const chunk = Buffer.concat([Buffer.from("f4240\r\n"), megabyte, Buffer.from("\r\n")])
    const chunked = await raw(
      head(...lines, key, "Transfer-Encoding: chunked"),
      ...Array.from({ length: 30 }, () => chunk)
    )
    expect([chunked.status, chunked.json]).toMatchObject([413, { type: "/problems/payload-too-large" }])
    expect(Math.max(declared.sent, chunked.sent)).toBeLessThan(30_000_000)
  })

  it("a failing handler causes one log line without secrets, and a response without details", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {})
    const answer = await api.ask("/dies", { headers: { authorization: `Bearer ${secret}` } })
    const lines = log.mock.calls.map(([line]) => String(line))
    log.mockRestore()
    expectProblem(answer, 500, "internal")
    expect(answer.text).not.toContain("hunter2")
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: "ERROR",
      annotations: { request_id: answer.headers["x-request-id"] }
    })
    expect(lines[0]).toContain("cannot read [redacted] at postgres://sov:[redacted]@db/sov")
  })

  it("an error of a mounted route becomes a problem if it has no body; other bodies stay unchanged", async () => {
    expect((await api.ask("/bare")).json).toMatchObject({ status: 422, request_id: expect.any(String) })
    expect((await api.ask("/own")).headers["retry-after"]).toBe("7")
    expect((await api.ask("/slow", { method: "GET" })).headers["allow"]).toBe("OPTIONS, POST")
  })

  it("requests to own host names and to any IP address are accepted", async () => {
    const hosts: ReadonlyArray<readonly [string, number]> = [
      ["localhost", 200],
      ["LOCALHOST:99", 200],
      ["127.0.0.1", 200],
      ["[::1]:4680", 200],
      ["192.168.1.7:80", 200],
      ["evil.example", 421],
      ["localhost.evil.example", 421],
      ["127.0.0.1.evil.example", 421]
    ]
    for (const [host, status] of hosts) {
      expect((await api.ask("/healthz", { headers: { host } })).status, host).toBe(status)
    }
  })

  it("metrics are shown only to this machine", async () => {
    const shown = await api.ask("/metrics", { headers: { host: "localhost" } })
    expect(shown.text).toMatch(/^sov_http_requests_total\{.*route="\/healthz".*\} \d+$/m)
    expect(shown.text).not.toMatch(/route="\/(?!healthz|metrics|readyz|api|docs|openapi|dies|slow|bare|own|problems)/)
    expect((await api.ask("/metrics", { headers: { "x-forwarded-for": "8.8.8.8" } })).status).toBe(404)
    expect((await api.ask("/metrics", { headers: { host: "192.168.1.7" } })).status).toBe(404)
  })

  it("requests per minute are limited for each key, and the response says how many are left", async () => {
    const [one, two] = [await api.run(tenant()), await api.run(tenant())]
    const left: Array<string | undefined> = []
    const begun = performance.now()
    for (let n = 0; n < 3; n++) left.push((await api.ask("/api/v1/scans", { key: one.key })).headers["ratelimit"])
    expect(left.map((value) => /r=(\d)/.exec(value ?? "")?.[1])).toEqual(["2", "1", "0"])
    const refused = await api.ask("/api/v1/scans?limit=x", { key: one.key })
    expectProblem(refused, 429, "rate-limited")
    expect(refused.headers["ratelimit-policy"]).toBe("\"requests\";q=3;w=60")
    const wait = Number(/^"requests";r=0;t=(\d+)$/.exec(refused.headers["ratelimit"]!)?.[1])
    expect(wait).toBeLessThanOrEqual(60)
    expect(wait).toBeGreaterThanOrEqual(59 - Math.floor((performance.now() - begun) / 1_000))
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(wait)
    const started = await api.ask("/api/v1/scans", post(two.key))
    expect([started.status, started.headers["ratelimit-policy"], started.headers["ratelimit"]]).toEqual([
      202,
      expect.stringMatching(/^"requests";q=3;w=60, "scans";q=100;qu="requests";w=2\d{6}$/),
      expect.stringMatching(/^"requests";r=2;t=60, "scans";r=99;t=\d+$/)
    ])
  })

  it("an address gets 429 after 60 refused keys, but its valid keys work", async () => {
    const good = await api.run(tenant())
    const statuses: Array<number> = []
    for (let n = 0; n < 62; n++) statuses.push((await api.ask("/api/v1/sov", { key: `bad${n}` })).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
    expect((await api.ask("/api/v1/scans", { key: good.key })).status).toBe(200)
  })

  it("the server stops as soon as all requests in progress are answered", async () => {
    const slow = api.ask("/slow", { method: "POST" })
    await Effect.runPromise(Deferred.await(slowBegun))
    await api.close()
    expect((await slow).text).toBe("done")
  })
})

describe.skipIf(postgresUrl === null)("an unavailable database", () => {
  let api: TestApi
  let own: Tenant
  let proxy: FaultProxy
  const scope = Scope.makeUnsafe()
  beforeAll(async () => {
    const { url } = await Effect.runPromise(Scope.provide(freshDatabase, scope))
    const behind = new URL(url)
    proxy = await faultProxy(behind.hostname, Number(behind.port))
    behind.hostname = "127.0.0.1"
    behind.port = String(proxy.port)
    const storage = layerStores.pipe(
      Layer.provideMerge(layerServer({ url: Redacted.make(behind.href) })),
      Layer.provideMerge(SecureRandom.layerWebCrypto)
    )
    api = await openApi(storage, { timeouts: { headersMs: 5_000, requestMs: 5_000, answerMs: 1_000 } })
    own = await api.run(tenant({ plan: "enterprise" }))
  })
  afterAll(async () => {
    proxy.blackhole = false
    await api.close()
    await proxy.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
  const counts = () =>
    api.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ scans: number; used: number; half: number }>`
        select (select count(*)::int from scan) as scans, (select coalesce(sum(used), 0)::int from quota_usage) as used,
          (select count(*)::int from scan where not exists (select from cell where cell.scan_id = scan.id)) as half`
      return row!
    }))

  it("requests whose database connection breaks get 503, later ones succeed, and no scan is partial", async () => {
    const load = Array.from({ length: 40 }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 8))
      if (n === 15 || n === 25) proxy.dropConnections()
      return ask(
        api.base,
        n % 2 === 0 ? "/api/v1/scans" : "/api/v1/archive",
        n % 2 === 0 ? post(own.key, "{}", json) : { key: own.key }
      )
    })
    const statuses = new Set<number>()
    for (const answer of await Promise.all(load)) {
      statuses.add(answer.status)
      if (answer.status === 503) expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0)
    }
    expect([...statuses].filter((status) => ![200, 202, 503].includes(status))).toEqual([])
    proxy.refuse = true
    proxy.dropConnections()
    expectProblem(await api.ask("/readyz"), 503, "unavailable")
    proxy.refuse = false
    await vi.waitFor(async () => expect((await api.ask("/api/v1/scans", { key: own.key })).status).toBe(200), 120_000)
    const { half, scans, used } = await counts()
    expect([half, used]).toEqual([0, scans])
  })

  it("if the database does not respond, requests get 503 within the timeout, and succeed again later", async () => {
    expect((await api.ask("/api/v1/scans", { key: own.key })).status).toBe(200)
    proxy.blackhole = true
    const [read, started] = await Promise.all([
      api.ask("/api/v1/archive", { key: own.key }),
      api.ask("/api/v1/scans", post(own.key))
    ])
    expectProblem(read, 503, "unavailable")
    expectProblem(started, 503, "unavailable")
    expect((await api.ask("/healthz")).status).toBe(200)
    proxy.blackhole = false
    proxy.dropConnections()
    await vi.waitFor(async () => expect((await api.ask("/api/v1/scans", post(own.key))).status).toBe(202), 120_000)
    const { half, scans, used } = await counts()
    expect([half, used]).toEqual([0, scans])
  })
})
