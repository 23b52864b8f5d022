/** Real clients with the MCP server, over a real socket; and the committed definitions of the tools. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js"
import { platformIds } from "@sov/core"
import type { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { oneHome } from "../support/homes.ts"
import { type Called, openMcp, type TestMcp, toolNames, visibleTenant } from "../support/mcpServer.ts"

/** The operations that the clients of both libraries have. */
interface AnyClient {
  readonly listTools: () => Promise<{ readonly tools: ReadonlyArray<Definition> }>
  readonly callTool: (
    request: { readonly name: string; readonly arguments?: Record<string, unknown> }
  ) => Promise<unknown>
  readonly readResource: (request: { readonly uri: string }) => Promise<unknown>
  readonly listResourceTemplates: () => Promise<unknown>
  readonly getPrompt: (
    request: { readonly name: string; readonly arguments?: Record<string, string> }
  ) => Promise<unknown>
  readonly listPrompts: () => Promise<unknown>
  readonly complete: (request: never) => Promise<unknown>
  readonly close: () => Promise<void>
}

interface Definition {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> }
  readonly annotations?: object | undefined
}

const me = { name: "test", version: "0" }

describe("clients", () => {
  let mcp: TestMcp
  let pro: Effect.Success<ReturnType<typeof visibleTenant>>
  beforeAll(async () => {
    mcp = await openMcp(oneHome[0]!)
    pro = await mcp.run(visibleTenant())
  })
  afterAll(() => mcp.close())

  const url = () => new URL(`${mcp.base}/api/mcp`)
  const withKey = () => ({ requestInit: { headers: { authorization: `Bearer ${pro.key}` } } })
  const second = (mode?: "legacy" | "auto" | { pin: string }) => async () => {
    const client = new Client(me, mode === undefined ? {} : { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(url(), withKey()))
    return { client: client as AnyClient, version: client.getNegotiatedProtocolVersion() }
  }
  const clients: ReadonlyArray<
    readonly [string, string, () => Promise<{ client: AnyClient; version: string | undefined }>]
  > = [
    ["@modelcontextprotocol/sdk 1.32.2", "2025-11-25", async () => {
      const client = new FirstClient(me)
      const transport = new FirstTransport(url(), withKey())
      await client.connect(transport as Parameters<typeof client.connect>[0])
      return { client: client as AnyClient, version: transport.protocolVersion }
    }],
    ["@modelcontextprotocol/client 2.4.0", "2025-11-25", second()],
    ["@modelcontextprotocol/client 2.4.0 legacy", "2025-11-25", second("legacy")],
    ["@modelcontextprotocol/client 2.4.0 auto", "2026-07-28", second("auto")],
    ["@modelcontextprotocol/client 2.4.0 pinned", "2026-07-28", second({ pin: "2026-07-28" })]
  ]

  it.each(clients)(
    "the client %s with %s lists and calls six tools, and reads resources, prompts and completions",
    async (_, revision, connect) => {
      const { client, version } = await connect()
      onTestFinished(() => client.close())
      expect(version).toBe(revision)
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(toolNames)
      // Both clients check structuredContent against the output schema, and throw if it does not match
      for (const { name } of tools) {
        const called = await client.callTool({ name, arguments: {} }) as Called
        expect(CallToolResultSchema.safeParse(called).success).toBe(true)
        expect(called.isError, name).toBeUndefined()
        expect(JSON.parse(called.content[0]!.text!)).toEqual(called.structuredContent)
        expect(called.content[1]).toEqual({ type: "text", text: expect.stringMatching(/\.$/) })
      }
      const archive = await client.callTool({ name: "get_answer_archive", arguments: { limit: 1 } }) as Called
      const { resource_uri } = archive.structuredContent.data[0] as { readonly resource_uri: string }
      expect(await client.readResource({ uri: resource_uri })).toMatchObject({
        contents: [{ uri: resource_uri, mimeType: "text/plain", text: expect.stringContaining("Acme Forge leads") }]
      })
      await expect(client.readResource({ uri: resource_uri.slice(0, -4) + "0000" })).rejects.toMatchObject({
        code: -32_602
      })
      expect(await client.listResourceTemplates()).toMatchObject({
        resourceTemplates: [{ uriTemplate: "sov://archive/{id}{?offset}" }, { uriTemplate: "sov://scans/{id}" }]
      })
      expect(await client.listPrompts()).toMatchObject({
        prompts: [{ name: "weekly_visibility_report" }, { name: "explain_sov_drop" }, { name: "compare_platforms" }]
      })
      const prompt = {
        name: "explain_sov_drop",
        arguments: { from: "2026-01-01", to: "2026-01-31", platform: "assistant_a" }
      }
      expect(await client.getPrompt(prompt)).toMatchObject({
        messages: [{
          role: "user",
          content: { type: "text", text: expect.stringMatching(/"2026-01-01".*"assistant_a"/s) }
        }]
      })
      await expect(client.getPrompt({ name: "explain_sov_drop" })).rejects.toThrow(/Missing: from, to/)
      const complete = (name: string, value: string) =>
        client.complete({ ref: { type: "ref/prompt", name: "compare_platforms" }, argument: { name, value } } as never)
      expect(await complete("platform", "assis")).toMatchObject({ completion: { values: platformIds } })
      expect(await complete("keyword", "FORGE")).toMatchObject({
        completion: { values: ["which forge?"], hasMore: false }
      })
      expect(await complete("from", "2")).toMatchObject({ completion: { values: [] } })
    }
  )

  it("clients can distinguish a refused key from other errors", async () => {
    const headers = { authorization: "Bearer sov_live_x" }
    const transport = new StreamableHTTPClientTransport(url(), { requestInit: { headers } })
    await expect(new Client(me).connect(transport)).rejects.toMatchObject({ status: 401 })
    const first = new FirstTransport(url(), { requestInit: { headers } })
    await expect(new FirstClient(me).connect(first as Parameters<FirstClient["connect"]>[0])).rejects.toThrow(
      /not valid/
    )
  })

  it("clients see exactly the committed definitions, with all hints and no truncated description", async () => {
    const { tools } = await mcp.result<{ tools: ReadonlyArray<Definition> }>(pro.key, "tools/list")
    for (const tool of tools) {
      expect(tool.description!.length).toBeLessThan(2_048)
      expect(tool.description).toMatch(/\nUse when: .*\nDo not use for: /s)
      expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false })
      for (const [name, argument] of Object.entries(tool.inputSchema.properties ?? {})) {
        expect(argument, `${tool.name} ${name}`).toMatchObject({ description: expect.stringMatching(/./) })
      }
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      await expect(`${JSON.stringify(tool, undefined, 2)}\n`).toMatchFileSnapshot(`definitions/${tool.name}.json`)
    }
  })
})
