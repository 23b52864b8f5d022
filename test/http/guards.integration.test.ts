/** How the server protects itself, with scripted stores instead of a database. */
import {
  type ApiKey,
  ApiKeyStore,
  CellStore,
  formatApiKey,
  hashApiKey,
  KeywordStore,
  Notifications,
  ScanStore,
  ServerRegistry,
  StoreError
} from "@sov/core"
import { organization, type Stores } from "@sov/core/testing"
import { layerLogs, layerRoute, type ServerOptions } from "@sov/http"
import { Effect, Layer, References, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { SqlClient } from "effect/sql"
import { EventEmitter } from "node:events"
import { connect } from "node:net"
import { expect, it, onTestFinished, vi } from "vitest"
import { networkOf } from "../../packages/http/src/middleware/clientAddress.ts"
import { Gate } from "../../packages/http/src/middleware/Gate.ts"
import { ServerSettings } from "../../packages/http/src/ServerSettings.ts"
import { expectProblem } from "../support/apiAnswers.ts"
import { askRaw, openApi } from "../support/apiServer.ts"

const secretOf = (n: number): string =>
  formatApiKey(Uint8Array.from({ length: 32 }, (_, i) => (n >> (8 * (i % 4))) & 255))
const secret = secretOf(1)

/** Stores that know one key; the test sets everything else. */
const world = () => {
  const state = {
    lookUps: 0,
    good: [secret] as ReadonlyArray<string>,
    scans: Effect.succeed([]) as Effect.Effect<never[], StoreError>,
    keys: Effect.void as Effect.Effect<void, StoreError>,
    registry: Effect.succeed([]) as Effect.Effect<never[], StoreError>
  }
  const stores = Layer.mergeAll(
    Layer.effect(
      ApiKeyStore,
      Effect.map(organization(), (owner) =>
        ApiKeyStore.of(
          {
            findByHash: (hash: Uint8Array) =>
              Effect.suspend(() => {
                state.lookUps++
                const key = {
                  id: "key",
                  name: "test",
                  scopes: ["read"],
                  revokedAt: null,
                  expiresAt: null
                } as unknown as ApiKey
                const known = state.good.some((one) => Buffer.compare(hash, hashApiKey(one)) === 0)
                return Effect.as(state.keys, known ? { organization: owner, key } : null)
              }),
            recordUse: () => Effect.void
          } as Partial<ApiKeyStore["Service"]> as ApiKeyStore["Service"]
        ))
    ),
    Layer.mock(KeywordStore, { list: () => Effect.succeed([]) }),
    Layer.mock(CellStore, {}),
    Layer.mock(ScanStore, { list: () => Effect.suspend(() => state.scans) }),
    Layer.mock(Notifications, { listen: () => Stream.never, send: () => Effect.void }),
    Layer.mock(ServerRegistry, {
      heartbeat: () => Effect.void,
      unregister: () => Effect.void,
      list: () => Effect.suspend(() => state.registry)
    })
  ).pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))
  return { state, stores }
}

/** Mounted routes: one that has begun its response, one that never responds. */
const mounted = Layer.mergeAll(
  layerRoute(
    "GET",
    "/begun",
    Effect.succeed(HttpServerResponse.stream(Stream.concat(Stream.make(Buffer.from("x")), Stream.never)))
  ),
  layerRoute("GET", "/never", Effect.never)
)

/** A server with such stores; a test may call `close` before its end. */
const open = async (options: Partial<ServerOptions> = {}, logs?: Layer.Layer<never>) => {
  const { state, stores } = world()
  // Stores that no test needs do not exist
  const api = await openApi(stores as unknown as Layer.Layer<Stores | SqlClient.SqlClient>, options, mounted, logs)
  onTestFinished(() => api.close())
  return { api, state }
}

it("a request that repeats a header with consequences is refused", async () => {
  const { api } = await open()
  const names = ["Authorization", "Content-Encoding", "Content-Type", "Idempotency-Key", "X-Request-Id"]
  for (const name of names) {
    const lines = ["POST /api/v1/scans HTTP/1.1", "Host: localhost", "Connection: close", `${name}: a`, `${name}: a`]
    const answer = await askRaw(api.port, [[...lines, "", ""].join("\r\n")])
    expect([answer.status, answer.json]).toMatchObject([400, {
      errors: [{ path: ["header", name.toLowerCase()], message: "must be given once" }]
    }])
  }
})

it("chunked bodies are accepted, other transfer codings are refused, and nothing is proxied", async () => {
  const { api } = await open()
  const ask = async (head: string, ...lines: ReadonlyArray<string>) => {
    const { json, status } = await askRaw(api.port, [
      [head, "Host: localhost", "Connection: close", `Authorization: Bearer ${secret}`, ...lines, "", ""].join("\r\n"),
      head.startsWith("CONNECT") ? "" : "0\r\n\r\n"
    ])
    return [status, (json as { type?: string } | undefined)?.type]
  }
  const get = "GET /api/v1/scans HTTP/1.1"
  expect(await ask(get, "Transfer-Encoding: Chunked")).toEqual([200, undefined])
  expect(await ask(get, "Transfer-Encoding: gzip, chunked")).toEqual([501, "/problems/not-implemented"])
  expect(await ask("CONNECT elsewhere.example:443 HTTP/1.1")).toEqual([400, "/problems/invalid-request"])
})

it("/readyz asks the database at most once a second, however many clients ask", async () => {
  const { api, state } = await open()
  let asked = 0
  state.registry = Effect.sync(() => (asked++, []))
  const begun = performance.now()
  const answers = await Promise.all(Array.from({ length: 20 }, () => api.ask("/readyz")))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(asked).toBeGreaterThan(0)
  expect(asked).toBeLessThanOrEqual(1 + Math.floor((performance.now() - begun) / 1_000))
  state.registry = Effect.fail(new StoreError({ reason: "unavailable", message: "gone" }))
  await new Promise((resolve) => setTimeout(resolve, 1_050))
  expect((await api.ask("/readyz")).status).toBe(503)
})

it("a busy or unavailable database causes 503 with Retry-After, a failing one causes 500", async () => {
  const { api, state } = await open({}, Layer.succeed(References.MinimumLogLevel, "None"))
  const failing = (reason: StoreError["reason"]) => Effect.fail(new StoreError({ reason, message: "scan: no" }))
  const ask = () => api.ask("/api/v1/scans", { key: secret })
  expect((await ask()).status).toBe(200)
  for (const reason of ["busy", "unavailable"] as const) {
    for (const where of ["scans", "keys"] as const) {
      Object.assign(state, { scans: Effect.succeed([]), keys: Effect.void, [where]: failing(reason) })
      const answer = await ask()
      expectProblem(answer, 503, "unavailable")
      expect(answer.headers["retry-after"]).toBe("2")
    }
  }
  Object.assign(state, { keys: Effect.void, scans: failing("internal") })
  const broken = await ask()
  expectProblem(broken, 500, "internal")
  expect(broken.headers["retry-after"]).toBeUndefined()
})

it("an address can have 60 unknown keys looked up per minute, and any number of valid keys", async () => {
  const { api, state } = await open()
  // Many clients behind the same proxy
  state.good = [secret, ...Array.from({ length: 99 }, (_, n) => secretOf(100 + n))]
  for (const key of state.good) expect((await api.ask("/api/v1/scans", { key })).status).toBe(200)
  state.lookUps = 0
  const answers = []
  for (let n = 2; n < 70; n++) answers.push(await api.ask("/api/v1/scans", { key: secretOf(n) }))
  expect(state.lookUps).toBe(60)
  expectProblem(answers[0]!, 401, "invalid-key")
  expectProblem(answers.at(-1)!, 429, "rate-limited")
  expect(Number(answers.at(-1)!.headers["retry-after"])).toBeGreaterThan(50)
  expect((await api.ask("/api/v1/scans", { key: secret })).status).toBe(200)
})

it("Strict-Transport-Security is sent only if the public URL is https", async () => {
  for (
    const [publicUrl, expected] of [["https://sov.example", "max-age=31536000"], ["http://sov.example", undefined]]
  ) {
    const { api } = await open({ publicUrl: publicUrl! })
    for (const path of ["/healthz", "/nope", "/api/v1/sov"]) {
      expect((await api.ask(path)).headers["strict-transport-security"], `${publicUrl}${path}`).toBe(expected)
    }
  }
})

it("idle connections stay open longer than proxies keep theirs", async () => {
  const { api } = await open()
  expect((await api.ask("/healthz")).headers["keep-alive"]).toBe("timeout=75")
})

it("requests are logged without their parameters and keys", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {})
  const { api, state } = await open({}, layerLogs(true))
  state.scans = Effect.fail(
    new StoreError({ reason: "internal", message: `cannot reach postgres://sov:hunter2@db/sov` })
  )
  const headers = { "x-request-id": secret, authorization: `Bearer ${secret}`, cookie: `a=${secret}` }
  const { headers: answered } = await api.ask(`/api/v1/scans?limit=3&api_key=${secret}&q=private`, { headers })
  await api.ask(`/api/v1/archive?cursor=private`, { headers: { authorization: "Bearer private" } })
  const lines = log.mock.calls.map(([line]) => String(line))
  log.mockRestore()
  const requests = lines.map((line) => JSON.parse(line) as { message: unknown; annotations?: Record<string, unknown> })
    .filter(({ message }) => String(message) === "request").map(({ annotations }) => annotations)
  expect(requests).toMatchObject([
    { path: "/api/v1/scans", status: 500, request_id: answered["x-request-id"] },
    { path: "/api/v1/archive", status: 401 }
  ])
  expect(lines.join("\n")).not.toMatch(/hunter2|private|sov_live_/)
})

it("metrics are not shown if a proxy forwards the request", async () => {
  const { api } = await open()
  expect((await api.ask("/metrics")).status).toBe(200)
  for (
    const name of ["Forwarded", "Via", "X-Real-IP", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Anything"]
  ) {
    expectProblem(await api.ask("/metrics", { headers: { [name]: "" } }), 404, "not-found")
  }
  const old = await askRaw(api.port, ["GET /metrics HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n"])
  expect(old.status).toBe(404)
  expect((await askRaw(api.port, ["GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n"])).status).toBe(200)
  const { api: shown } = await open({ openMetrics: true })
  expect((await shown.ask("/metrics", { headers: { via: "1.1 proxy" } })).status).toBe(200)
})

it("an error after the response has begun is not written into it", async () => {
  const { api } = await open()
  const text = await new Promise<string>((resolve) => {
    let received = ""
    const socket = connect(api.port, "127.0.0.1")
    socket.on("error", () => {}).on("close", () => resolve(received))
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      received += chunk
      if (received.endsWith("x\r\n")) socket.write("no request\r\n\r\n")
    })
    socket.write("GET /begun HTTP/1.1\r\nHost: localhost\r\n\r\n")
  })
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
  expect(text).not.toContain("HTTP/1.1 400")
})

it("unanswered and idle connections are closed after the drain time", async () => {
  const { api } = await open({ drain: "100 millis" })
  const ended = (path: string) => api.ask(path).then(({ status }) => status, () => "cut")
  const waiting = [ended("/never"), ended("/begun"), askRaw(api.port, ["GET /healthz HTTP/1.1\r\nHost: localho"])]
  await new Promise((resolve) => setTimeout(resolve, 50))
  await api.close()
  // Open requests would keep the test from ending
  await Promise.all(waiting)
})

it("/readyz reports within its timeout that the database does not respond", async () => {
  const { api, state } = await open()
  state.registry = Effect.never
  const answer = await api.ask("/readyz")
  expectProblem(answer, 503, "unavailable")
  expect(answer.headers["retry-after"]).toBe("2")
})

it("all addresses of one IPv6 network count as one client", () => {
  const networks = [
    "203.0.113.9",
    "::ffff:203.0.113.9",
    "::1",
    "fe80::1%eth0",
    "2001:db8:1:2:3:4:5:6",
    "2001:DB8:1:2::",
    "2001:0db8:1:2::9",
    "2001:db8::2:0:0:0:1",
    "64:ff9b::203.0.113.9"
  ]
  expect(networks.map(networkOf)).toEqual([
    "203.0.113.9",
    "203.0.113.9",
    "::/64",
    "fe80::/64",
    "2001:db8:1:2::/64",
    "2001:db8:1:2::/64",
    "2001:db8:1:2::/64",
    "2001:db8:0:2::/64",
    "64:ff9b::/64"
  ])
})

it("refusals are remembered for at most 10,000 addresses", async () => {
  const { stores } = world()
  const gate = Gate.layer.pipe(
    Layer.provide(Layer.succeed(ServerSettings, { restRate: 0 } as ServerOptions)),
    Layer.provide(stores)
  )
  await Effect.runPromise(
    Effect.gen(function*() {
      const { identify } = yield* Gate
      const from = (remoteAddress: string) => {
        const source = Object.assign(new EventEmitter(), { rawHeaders: [], headers: {}, socket: { remoteAddress } })
        return Effect.flip(identify).pipe(
          Effect.provideService(
            HttpServerRequest.HttpServerRequest,
            { source, headers: {} } as unknown as HttpServerRequest.HttpServerRequest
          ),
          Effect.map(({ _tag }) => _tag)
        )
      }
      for (let n = 0; n < 60; n++) yield* from(`2001:db8::${n}`)
      expect(yield* from("2001:db8::1:0:0:9")).toBe("RateLimited")
      for (let n = 0; n < 60; n++) expect(yield* from("first")).toBe("MissingKey")
      for (let n = 0; n < 9_999; n++) yield* from(`address ${n}`)
      expect(yield* from("first")).toBe("RateLimited")
      for (let n = 0; n < 10_000; n++) yield* from(`address ${n}`)
      expect(yield* from("first")).toBe("MissingKey")
    }).pipe(Effect.provide(gate)) as Effect.Effect<void>
  )
})
