/** The MCP server on standard input and output: malformed input, and the end of input. */
import { serveStdio } from "@sov/mcp/stdio"
import { type Effect, ManagedRuntime } from "effect"
import { PassThrough } from "node:stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { tenant } from "../support/apiServer.ts"
import { oneHome } from "../support/homes.ts"
import { message } from "../support/mcpServer.ts"
import { layerHome } from "../support/storage.ts"

describe("standard input", () => {
  const runtime = ManagedRuntime.make(layerHome(oneHome[0]!))
  let organizationId: Effect.Success<ReturnType<typeof tenant>>["organizationId"]
  beforeAll(async () => {
    organizationId = (await runtime.runPromise(tenant())).organizationId
  })
  afterAll(() => runtime.dispose())

  /** All responses to these lines, once the input has ended. */
  const answersTo = async (lines: ReadonlyArray<string>) => {
    const pipes = { input: new PassThrough(), output: new PassThrough() }
    let said = ""
    pipes.output.on("data", (chunk: Buffer) => said += chunk.toString())
    const served = runtime.runPromise(serveStdio({ version: "1.2.3", organizationId, platforms: null }, pipes))
    pipes.input.end(lines.map((line) => `${line}\n`).join(""))
    await served
    return said.trimEnd().split("\n").map((line) =>
      JSON.parse(line) as { id?: number; method?: string; result?: object }
    )
  }
  const list = { ...message("tools/list").body, id: 1 }
  const call = { ...message("tools/call", { name: "list_keywords", arguments: {} }).body, id: 2 }

  it("the server continues after malformed lines, and answers all requests that came before the end of input", async () => {
    const nonsense = [
      "{",
      "nonsense",
      "null",
      "5",
      "[]",
      `[${JSON.stringify(list)}]`,
      JSON.stringify({ ...list, id: null })
    ]
    const taken = [
      { jsonrpc: "2.0", method: "notifications/cancelled" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } },
      { jsonrpc: "2.0", id: 98, result: {} },
      list,
      call
    ]
    const answers = await answersTo([...nonsense, ...taken.map((one) => JSON.stringify(one))])
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([1, 2]))
    expect(answers).toHaveLength(2)
    expect(answers.find(({ id }) => id === 2)!.result).toMatchObject({ structuredContent: { meta: { count: 2 } } })
  })

  it("the server does not wait for a cancelled call", async () => {
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } }
    const answers = await answersTo([call, cancel, list].map((one) => JSON.stringify(one)))
    expect(answers.map(({ id }) => id)).toEqual([1])
  })

  it("the server exits with its client, even during a subscription", async () => {
    const listen = message("subscriptions/listen", { notifications: { toolsListChanged: true } }, "2026-07-28")
    const answers = await answersTo([JSON.stringify(listen.body)])
    expect(answers).toMatchObject([{ method: "notifications/subscriptions/acknowledged" }])
  })
})
