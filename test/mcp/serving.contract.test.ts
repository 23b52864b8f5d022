/** How tool calls are served: streams and progress, clients that disconnect, calls that hang or fail. */
import { ScoreStore, StoreError } from "@sov/core"
import type { Stores } from "@sov/core/testing"
import { layerLogs } from "@sov/http"
import { Deferred, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { request } from "node:http"
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { tenant } from "../support/apiServer.ts"
import { oneHome } from "../support/homes.ts"
import { message, openMcp, post, revisions, type TestMcp } from "../support/mcpServer.ts"
import { layerHome } from "../support/storage.ts"

/** The effect with which the store of the summary responds; set by each test. */
let newest: Effect.Effect<never, StoreError>
const storage = Layer.effect(
  ScoreStore,
  Effect.map(ScoreStore, (store) => ({ ...store, newest: () => Effect.suspend(() => newest) }))
).pipe(Layer.provideMerge(layerHome(oneHome[0]!))) as Layer.Layer<Stores | SqlClient.SqlClient, unknown>

const summary = { name: "get_visibility_summary", arguments: {} }
const both = ["2025-06-18", "2026-07-28"] as const

describe("serving", () => {
  let mcp: TestMcp
  let key: string
  const logged: Array<string> = []
  beforeAll(async () => {
    vi.spyOn(console, "error").mockImplementation((line: unknown) => void logged.push(String(line)))
    const timeouts = { headersMs: 10_000, requestMs: 30_000, answerMs: 1_500 }
    mcp = await openMcp(storage, { logs: layerLogs(true), settings: { timeouts } })
    key = (await mcp.run(tenant())).key
  })
  afterAll(() => mcp.close())
  beforeEach(() => void logged.splice(0))

  it("the server streams if the client asks for progress and accepts a stream, otherwise it responds with JSON", async () => {
    const types = new Set<string>()
    for (const revision of revisions) {
      const asked = message(
        "tools/call",
        { name: "list_keywords", arguments: {}, _meta: { progressToken: "p1" } },
        revision
      )
      const stream = await mcp.ask("/api/mcp", post(key, asked.body, asked.headers))
      types.add(stream.headers["content-type"]!)
      const events = stream.text.split("\n").filter((line) => line.startsWith("data: "))
        .map((line) => JSON.parse(line.slice(6)) as { method?: string; params?: object; result?: object })
      expect(events.map((event) => event.method ?? "result")).toEqual([
        "notifications/progress",
        "notifications/progress",
        "result"
      ])
      expect(events[0]!.params).toMatchObject({ progressToken: "p1", progress: 0, total: 1 })
      expect(events[2]!.result).toMatchObject({ structuredContent: { keywords: expect.any(Array) } })
      const json = { ...asked.headers, accept: "application/json" }
      const plain = await mcp.ask("/api/mcp", post(key, asked.body, json))
      expect(plain.headers["content-type"]).toBe("application/json")
      expect(plain.json).toMatchObject({ result: { structuredContent: { keywords: expect.any(Array) } } })
    }
    expect([...types]).toEqual(["text/event-stream"])
  })

  it.each(both)(
    "if a client of %s disconnects, its work stops, whether the response is JSON or a stream",
    async (revision) => {
      // Longer than the test takes
      const timeouts = { headersMs: 10_000, requestMs: 30_000, answerMs: 3_600_000 }
      const patient = await openMcp(storage, { logs: layerLogs(true), settings: { timeouts } })
      onTestFinished(() => patient.close())
      const { key } = await patient.run(tenant())
      for (const meta of [{}, { _meta: { progressToken: 1 } }]) {
        const begun = Deferred.makeUnsafe<void>()
        const stopped = Deferred.makeUnsafe<void>()
        newest = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(
          Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
        )
        const { body, headers } = message("tools/call", { ...summary, ...meta }, revision)
        const sent = request(`${patient.base}/api/mcp`, {
          method: "POST",
          headers: { ...headers, authorization: `Bearer ${key}` }
        })
        sent.on("error", () => {}).end(JSON.stringify(body))
        await Effect.runPromise(Deferred.await(begun))
        sent.destroy()
        await Effect.runPromise(Deferred.await(stopped))
      }
    }
  )

  it("every request of a batch is answered, even if the batch cancels it or uses its id twice", async () => {
    const call = (id: number) => ({ ...message("tools/call", { name: "list_keywords", arguments: {} }).body, id })
    const beside = [
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
      { jsonrpc: "2.0", method: "notifications/cancelled" },
      { jsonrpc: "2.0", id: 1, result: {} },
      { ...call(2), method: "tools/nothing" },
      call(3),
      call(3)
    ]
    const answer = await mcp.ask("/api/mcp", post(key, [call(1), ...beside]))
    const answers = answer.json as ReadonlyArray<{ readonly id: number; readonly result?: object }>
    for (const id of [1, 3]) {
      const one = answers.find((answer) => answer.id === id)
      expect(one).toMatchObject({ result: { structuredContent: expect.any(Object) } })
    }
    expect(answers.find(({ id }) => id === 2)).toMatchObject({ error: { code: -32_601 } })
    const notifications = await mcp.ask("/api/mcp", post(key, beside.slice(0, 2)))
    expect([notifications.status, notifications.text]).toEqual([202, ""])
  })

  it.each(both)("a call of %s that hangs times out with an error", async (revision) => {
    newest = Effect.never
    expect(await mcp.call(key, summary.name, {}, revision)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/too long; ask for less/) }]
    })
  })

  it.each(both)(
    "an internal failure of %s causes a generic error, and a log entry without secrets",
    async (revision) => {
      const secret = "postgres://sov:hunter2@db.internal/sov"
      newest = Effect.die(new Error(`connect ${secret} ${key} failed at row 7`))
      const died = await mcp.rpc(key, "tools/call", summary, revision)
      expect(died.json).toMatchObject({
        result: { isError: true, content: [{ text: expect.stringMatching(/^Internal error; the log/) }] }
      })
      newest = Effect.fail(new StoreError({ reason: "internal", message: "read history: column (42703)" }))
      const failed = await mcp.rpc(key, "tools/call", summary, revision)
      for (const { text } of [died, failed]) expect(text).not.toMatch(/hunter2|db\.internal|row 7|history|42703/)
      const log = logged.join("\n")
      expect(log).toContain("read history: column (42703)")
      expect(log).toMatch(/"request_id":"req_[^"]+","key_id":"[^"]+"|"key_id":"[^"]+","request_id":"req_/)
      for (const line of [key, "hunter2"]) expect(log).not.toContain(line)
      newest = Effect.fail(new StoreError({ reason: "unavailable", message: "gone" }))
      const away = await mcp.call(key, summary.name, {}, revision)
      expect(away).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/database.*try again/) }] })
    }
  )

  it("each call is logged with its tool, duration and size, without arguments", async () => {
    await mcp.call(key, "list_keywords", { query: "private question" })
    const line = logged.find((one) => one.includes("tool call"))!
    expect(JSON.parse(line)).toMatchObject({
      annotations: { tool: "list_keywords", error: false, ms: expect.any(Number), chars: expect.any(Number) }
    })
    expect(logged.join("\n")).not.toContain("private")
  })
})
