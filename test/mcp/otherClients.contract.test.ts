/** Third-party clients list the six tools and call each; needs `npm ci` in test/devtools/mcp. */
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { oneHome } from "../support/homes.ts"
import { devtool, hasDevtools, runDevtool } from "../support/mcpDevtools.ts"
import { type Called, openMcp, type TestMcp, toolNames, visibleTenant } from "../support/mcpServer.ts"

const minutes = 60_000

/** Asserts that the tool found something. */
const expectFound = (called: Called, name: string) => {
  expect(called.isError, name).toBeFalsy()
  expect(JSON.parse(called.content[0]!.text!), name).toEqual(called.structuredContent)
}

describe.skipIf(!hasDevtools)("third-party clients", () => {
  let mcp: TestMcp
  let key: string
  let url: string
  beforeAll(async () => {
    mcp = await openMcp(oneHome[0]!)
    key = (await mcp.run(visibleTenant())).key
    url = `${mcp.base}/api/mcp`
  })
  afterAll(() => mcp.close())

  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), "sov-client-"))
    onTestFinished(() => rmSync(made, { recursive: true, force: true }))
    return made
  }

  it.each(["legacy", "auto", "modern"])(
    "MCP Inspector, which checks schemas strictly, accepts the server in era %s",
    async (era) => {
      const env = { MCP_CATALOG_PATH: join(folder(), "catalog.json") }
      const inspect = (...args: ReadonlyArray<string>) => {
        const server = ["--cli", url, "--transport", "http", "--header", `Authorization: Bearer ${key}`]
        const entry = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
        return runDevtool(entry, [...server, "--protocol-era", era, ...args, "--format", "json", "-q"], env)
      }
      const listed = await inspect("--method", "tools/list", "--strict")
      expect([listed.code, listed.stderr]).toEqual([0, ""])
      const resultOf = <A>(stdout: string): A => (JSON.parse(stdout) as { readonly result: A }).result
      const { tools } = resultOf<{ readonly tools: ReadonlyArray<{ readonly name: string }> }>(listed.stdout)
      expect(tools.map(({ name }) => name)).toEqual(toolNames)
      for (const name of toolNames) {
        const called = await inspect("--method", "tools/call", "--tool-name", name, "--tool-args-json", "{}")
        expect(called.code, called.stderr).toBe(0)
        expectFound(resultOf<Called>(called.stdout), name)
      }
    },
    5 * minutes
  )

  it("@ai-sdk/mcp works with the server", async () => {
    interface AiTool {
      readonly execute: (args: object, options: object) => Promise<Called>
    }
    interface AiSdk {
      readonly createMCPClient: (options: object) => Promise<{
        readonly tools: () => Promise<{ readonly [name: string]: AiTool }>
        readonly close: () => Promise<void>
      }>
    }
    const { createMCPClient } = await import(
      pathToFileURL(devtool("node_modules/@ai-sdk/mcp/dist/index.js")).href
    ) as AiSdk
    const headers = { authorization: `Bearer ${key}` }
    const client = await createMCPClient({ transport: { type: "http", url, headers } })
    onTestFinished(() => client.close())
    const tools = await client.tools()
    expect(Object.keys(tools)).toEqual(toolNames)
    for (const [name, tool] of Object.entries(tools)) {
      expectFound(await tool.execute({}, { toolCallId: "1", messages: [] }), name)
    }
  }, minutes)

  it("clients that can only start processes can use the server through mcp-remote", async () => {
    const client = new Client({ name: "test", version: "0" })
    const bridge = devtool("node_modules/mcp-remote/dist/proxy.js")
    const args = [bridge, url, "--allow-http", "--transport", "http-only", "--header", "Authorization:${AUTH}"]
    const env = { PATH: process.env["PATH"]!, HOME: folder(), MCP_REMOTE_CONFIG_DIR: folder(), AUTH: `Bearer ${key}` }
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }))
    onTestFinished(() => client.close())
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(toolNames)
    for (const { name } of tools) expectFound(await client.callTool({ name, arguments: {} }) as Called, name)
  }, minutes)
})
