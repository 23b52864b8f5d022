// Only with SOV_LONG_TESTS: many processes; mcp/ shows each tool
/** The tool server as users start it: two processes of one database, a client on standard input, configurations. */
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { ask } from "../support/apiServer.ts"
import { message, post, toolNames } from "../support/mcpServer.ts"
import { launcher, type Ran, sov, sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

const setUp = async () => {
  const cwd = workspace()
  const platforms = { assistant_a: { adapter: "simulated", brand: "Acme" } }
  writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms }))
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"])
  const { key } = await sovJson<{ key: string }>(cwd, ["key", "create", "--name", "test"])
  return { cwd, key }
}

const serve = async (cwd: string) => {
  const server = startSov(cwd, ["serve", "--port", "0", "--json"])
  onTestFinished(() => void server.child.kill("SIGKILL"))
  let said = ""
  server.child.stdout!.on("data", (chunk: string) => said += chunk)
  await until(() => said.includes("\n") || server.child.exitCode !== null, 60_000, "the server says its address")
  return JSON.parse(said) as { readonly url: string; readonly mcp: string }
}

it("60 of 61 requests to two servers of one data directory are accepted", async () => {
  const { cwd, key } = await setUp()
  const servers = await Promise.all([serve(cwd), serve(cwd)])
  expect(servers[0].mcp).toBe(`${servers[0].url}/api/mcp`)
  const { body, headers } = message("ping")
  const answers = await Promise.all(
    Array.from({ length: 61 }, (_, n) => ask(servers[n % 2]!.url, "/api/mcp", post(key, body, headers)))
  )
  const passed = answers.filter(({ status }) => status === 200)
  expect([passed.length, answers.filter(({ status }) => status === 429).length]).toEqual([60, 1])
})

it("sov mcp prints only the protocol on stdout, and answers every request received before the end of input", async () => {
  const { cwd } = await setUp()
  const asked = [
    message("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "0" } }),
    message("tools/list"),
    ...toolNames.map((name) => message("tools/call", { name, arguments: {} }))
  ]
  const input = [
    ...asked.slice(0, 1).map(({ body }) => body),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    ...asked.slice(1).map(({ body }) => body)
  ].map((body) => `${JSON.stringify(body)}\n`).join("")
  const ran: Ran = await sov(cwd, ["mcp", "--verbose"], { input })
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("home:")])
  const answers = ran.stdout.trimEnd().split("\n").map((line) => JSON.parse(line) as { id: number; result: object })
  expect(answers).toHaveLength(asked.length)
  expect(new Set(answers.map(({ id }) => id))).toEqual(new Set(asked.map(({ body }) => body.id)))
  for (const { result } of answers) expect(result).not.toHaveProperty("isError")

  // A real client, the newest revision, and its end
  const client = new Client({ name: "t", version: "0" }, { versionNegotiation: { mode: "auto" } })
  await client.connect(new StdioClientTransport({ command: launcher, args: ["mcp"], cwd, stderr: "ignore" }))
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28")
  expect((await client.listTools()).tools).toHaveLength(6)
  const found = await client.callTool({ name: "list_keywords", arguments: {} })
  expect(found.structuredContent).toMatchObject({ keywords: [{ prompt: "best anvil?" }] })
  await client.close()

  // The configuration that starts it from anywhere, as printed
  const printed = await sov(cwd, ["mcp", "config", "claude-code", "--stdio"])
  const { sov: entry } =
    (JSON.parse(printed.stdout) as { mcpServers: { sov: { command: string; args: Array<string> } } })
      .mcpServers
  const again = `${JSON.stringify(message("tools/list").body)}\n`
  const started = spawnSync(entry.command, entry.args, { input: again, encoding: "utf8" })
  expect((JSON.parse(started.stdout) as { result: { tools: Array<unknown> } }).result.tools).toHaveLength(6)
  const whole = await sov(cwd, ["mcp", "config", "generic", "--url", "https://x.example/sov/api/mcp/"])
  expect(whole.stdout).toContain("\"https://x.example/sov/api/mcp\"")
  const bad = await sov(cwd, ["mcp", "config", "generic", "--url", "ftp://x"])
  expect([bad.code, bad.stdout, bad.stderr]).toEqual([2, "", expect.stringContaining("--url must be")])

  // A data directory without anything says how to begin, on stderr only
  const empty = await sov(workspace(), ["mcp"])
  expect([empty.code, empty.stdout]).toEqual([3, ""])
  expect(empty.stderr).toContain("sov init")
})
