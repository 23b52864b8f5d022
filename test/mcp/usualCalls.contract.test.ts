/** What is answered without the protocol's library is what the library would answer, byte for byte. */
import type { Stores } from "@sov/core/testing"
import { findUsualCall } from "@sov/mcp"
import { Effect, Layer, ManagedRuntime } from "effect"
import { type SqlClient, Statement } from "effect/sql"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  archiveText,
  message,
  openMcp,
  post,
  revisions,
  type TestMcp,
  toolNames,
  visibleTenant
} from "../support/mcpServer.ts"
import { layerHome } from "../support/storage.ts"

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

type Answered = Awaited<ReturnType<TestMcp["ask"]>>

const configured = [{ id: "assistant_a", simulated: false }] as const
/** Every statement that was run, as text. */
const statements: Array<string> = []
const runtime = ManagedRuntime.make(
  layerHome("embedded").pipe(
    Layer.provideMerge(Layer.succeed(Statement.CurrentTransformer, (statement) =>
      Effect.sync(() => {
        statements.push(statement.compile()[0])
        return statement
      })))
  )
)

describe("usual calls", () => {
  let direct: TestMcp
  let library: TestMcp
  let key: string
  let ids: { readonly keyword: string; readonly scan: string }
  beforeAll(async () => {
    const storage = Layer.succeedContext(await runtime.context()) as Layer.Layer<Stores | SqlClient.SqlClient>
    direct = await openMcp(storage, { platforms: configured })
    library = await openMcp(storage, { platforms: configured, pack: { streams: () => false } })
    const made = await direct.run(visibleTenant())
    await direct.run(
      archiveText(made.organizationId, made, "Acme – “the” best\u2028 😀 \u0000".replace("\u0000", ""), 300)
    )
    key = made.key
    ids = { keyword: made.keywords[0]!.id, scan: made.scans.latest.id }
  })
  afterAll(async () => {
    await direct.close()
    await library.close()
    await runtime.dispose()
  })

  const shown = ({ headers, status, text }: Answered) => {
    const { date: _, "x-request-id": __, ...kept } = headers
    return { status, text, headers: kept }
  }
  const expectSame = async (body: unknown, headers: Readonly<Record<string, string>>) => {
    const sent = post(key, body, headers)
    const [one, other] = [await direct.ask("/api/mcp", sent), await library.ask("/api/mcp", sent)]
    expect({ body, headers, answer: shown(one) }).toEqual({ body, headers, answer: shown(other) })
    return one
  }
  const argumentsOf: { readonly [name: string]: ReadonlyArray<object | undefined> } = {
    get_visibility_summary: [undefined, {}, { unknown: 1 }],
    list_keywords: [undefined, { limit: 1 }, { limit: 0 }, { query: "anvil" }],
    get_scan_results: [{ limit: 2 }, { scan_id: "00000000-0000-7000-8000-000000000000" }, { mentioned_only: true }],
    get_answer_archive: [{ limit: 2 }, { max_answer_chars: 5 }, { from: "2030-01-01", to: "2020-01-01" }, {
      cursor: "x"
    }, {
      platform: null
    }],
    get_business_card: [undefined, { a: { b: [1] } }],
    get_ai_traffic: [{}, { from: 5 }]
  }

  it("every tool, with arguments that hold and others, in every revision", async () => {
    let usual = 0
    for (const revision of revisions) {
      for (const name of toolNames) {
        for (const args of argumentsOf[name]!) {
          const { body, headers } = message("tools/call", { name, ...args && { arguments: args } }, revision)
          if (findUsualCall(headers, body) !== null) usual++
          await expectSame(body, headers)
        }
      }
    }
    // All but those of the oldest revision, which no client of today names
    const each = Object.values(argumentsOf).flat().length
    expect(usual).toBe(each * (revisions.length - 1))
    await expectSame(
      ...Object.values(
        message("tools/call", { name: "get_answer_archive", arguments: { keyword_id: ids.keyword } })
      ) as [unknown, Record<string, string>]
    )
  })

  it("the summary and a page of answers each take one statement, once the summary was read before", async () => {
    // Beside what a server asks now and then of keys, and of other servers
    const isOwn = (statement: string) => !/\b(?:api_key|server|pg_notify)\b/.test(statement)
    for (const [name, from] of [["get_visibility_summary", "score"], ["get_answer_archive", "answer"]] as const) {
      await direct.call(key, name)
      statements.length = 0
      await direct.call(key, name)
      // A set, since a group that is not answered within a second is read again
      expect([...new Set(statements.filter(isOwn))]).toEqual([expect.stringContaining(` from ${from}`)])
    }
  })

  it("any id, member, header or envelope that may be sent instead", async () => {
    const odd = fc.constantFrom<unknown>(
      null,
      "",
      "x",
      0,
      -1,
      1.5,
      2 ** 53,
      true,
      [],
      {},
      { name: "a" },
      "2.0",
      "1.0",
      "tools/call",
      "tools/list",
      "get_business_card"
    )
    const names = fc.constantFrom("id", "jsonrpc", "method", "params", "extra", "result", "error", "__proto__")
    const paramNames = fc.constantFrom("name", "arguments", "_meta", "task", "progressToken", "__proto__")
    const metaNames = fc.constantFrom(
      "progressToken",
      "io.modelcontextprotocol/protocolVersion",
      "io.modelcontextprotocol/clientInfo",
      "io.modelcontextprotocol/clientCapabilities",
      "io.modelcontextprotocol/logLevel"
    )
    const headerNames = fc.constantFrom(
      "content-type",
      "accept",
      "mcp-protocol-version",
      "mcp-method",
      "mcp-name",
      "mcp-session-id",
      "mcp-param-x"
    )
    const headerValues = fc.constantFrom(
      null,
      "application/json",
      "application/json; charset=utf-8",
      "text/plain",
      "*/*",
      "2024-11-05",
      "2025-11-25",
      "2026-07-28",
      "1999-01-01",
      "tools/call",
      "get_business_card",
      "x"
    )
    const change = fc.oneof(
      fc.record({ at: fc.constant("body" as const), name: names, value: fc.option(odd, { nil: undefined }) }),
      fc.record({ at: fc.constant("params" as const), name: paramNames, value: fc.option(odd, { nil: undefined }) }),
      fc.record({ at: fc.constant("meta" as const), name: metaNames, value: fc.option(odd, { nil: undefined }) }),
      fc.record({ at: fc.constant("header" as const), name: headerNames, value: headerValues })
    )
    let usual = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...revisions), fc.array(change, { maxLength: 2 }), async (revision, changes) => {
        const { body, headers } = message("tools/call", { name: "get_business_card", arguments: {} }, revision)
        const sent = JSON.parse(JSON.stringify(body)) as { params?: Record<string, unknown> }
        const sentHeaders: Record<string, string> = { ...headers }
        for (const { at, name, value } of changes) {
          if (at === "header") {
            if (value === null) delete sentHeaders[name]
            else sentHeaders[name] = value as string
            continue
          }
          const { params } = sent
          const target = at === "body"
            ? sent
            : at === "params"
            ? params
            : isObject(params)
            ? (params["_meta"] ??= {})
            : params
          if (!isObject(target)) continue
          if (value === undefined) Reflect.deleteProperty(target, name)
          else {
            // Objects are drawn from a list: another change, or the next case, may write into this one
            const own = structuredClone(value)
            Object.defineProperty(target, name, { value: own, enumerable: true, configurable: true, writable: true })
          }
        }
        const parsed = JSON.parse(JSON.stringify(sent)) as unknown
        if (findUsualCall(sentHeaders, parsed) !== null) usual++
        const { status, text } = await expectSame(parsed, sentHeaders)
        expect([status, text.length > 0]).toEqual([expect.any(Number), status !== 202])
      }),
      { numRuns: 80 }
    )
    expect(usual).toBeGreaterThan(2)
  })
})
