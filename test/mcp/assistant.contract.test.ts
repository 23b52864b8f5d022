/** An assistant that only knows the tools gives the same answers to people's questions as the database. */
import { createApiKey, KeywordStore, TrafficStore } from "@sov/core"
import { keywords, type Stores, trafficLine } from "@sov/core/testing"
import { serveStdio } from "@sov/mcp/stdio"
import { Effect, Layer, ManagedRuntime } from "effect"
import type { SqlClient } from "effect/sql"
import { PassThrough } from "node:stream"
import { afterAll, beforeAll, expect, it } from "vitest"
import { scanWith, seed } from "../support/completedScans.ts"
import { oneHome } from "../support/homes.ts"
import { message, openMcp, type TestMcp } from "../support/mcpServer.ts"
import { type AskTool, gradeAssistant, questions } from "../support/scriptedAssistant.ts"
import { layerHome } from "../support/storage.ts"

const platforms = [
  { id: "assistant_a", simulated: false, label: "ChatGPT" },
  { id: "assistant_b", simulated: false, label: "Gemini" }
] as const

const runtime = ManagedRuntime.make(layerHome(oneHome[0]!))
let mcp: TestMcp
let known: { readonly id: Effect.Success<typeof seed>; readonly secret: string }
beforeAll(async () => {
  mcp = await openMcp(Layer.succeedContext(await runtime.context()) as Layer.Layer<Stores | SqlClient.SqlClient>, {
    platforms
  })
  known = await mcp.run(Effect.gen(function*() {
    const id = yield* seed
    const subjects = [
      "hammer",
      "chisel",
      "bellows",
      "quenching oil",
      "apron",
      "leather gloves",
      "tongs",
      "forge burner"
    ]
    const uses = ["for beginners", "in a rented flat", "under 100 euros"]
    const more = subjects.flatMap((subject) => uses.map((use) => `which ${subject} ${use}`))
    yield* (yield* KeywordStore).add(id, yield* keywords(more))
    yield* (yield* TrafficStore).add(id, [trafficLine(), trafficLine({ time: Date.UTC(2026, 2, 3) })], "v1")
    const before = (keyword: number) =>
      keyword === 1 ? "Acme Forge leads." : "Acme Forge is excellent, Initech is next."
    yield* scanWith(id, 100, before)
    yield* scanWith(id, 1_100, before)
    const failed = (keyword: number, platform: string) => keyword === 3 && platform === "assistant_a"
    const isLost = (keyword: number, platform: string) => platform === "assistant_b" || keyword === 0
    // Globex appears, and then takes over one platform
    yield* scanWith(id, 2_100, (keyword, platform) =>
      failed(keyword, platform)
        ? null
        : keyword % 2 === 0 && isLost(keyword, platform)
        ? "Globex, without a doubt."
        : "Acme Forge and Globex.")
    yield* scanWith(
      id,
      3_100,
      (keyword, platform) =>
        failed(keyword, platform) ? null : isLost(keyword, platform) ? "Globex." : "Acme Forge and Globex."
    )
    return { id, secret: (yield* createApiKey(id, "assistant")).secret }
  }))
})
afterAll(async () => {
  await mcp.close()
  await runtime.dispose()
})

/** One tool call over standard input and output. */
const askOverStdio: AskTool = async (name, args = {}) => {
  const pipes = { input: new PassThrough(), output: new PassThrough() }
  let said = ""
  pipes.output.on("data", (chunk: Buffer) => said += chunk.toString())
  const served = runtime.runPromise(serveStdio({ version: "1.2.3", organizationId: known.id, platforms }, pipes))
  pipes.input.end(`${JSON.stringify(message("tools/call", { name, arguments: args }).body)}\n`)
  await served
  return (JSON.parse(said) as { result: { structuredContent: object } }).result.structuredContent
}
const askOverHttp: AskTool = async (name, args) => (await mcp.call(known.secret, name, args)).structuredContent

it.each([["HTTP", askOverHttp], ["stdio", askOverStdio]])(
  "an assistant that uses only tools answers at least 18 of 20 fixed questions over %s",
  async (_, ask) => {
    const graded = await mcp.run(gradeAssistant(ask, known.id))
    expect(questions).toHaveLength(20)
    expect(graded.filter(({ right }) => !right)).toEqual([])
  }
)
