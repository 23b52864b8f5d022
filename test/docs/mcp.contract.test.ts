/** Tests docs/mcp.md: its conversation is repeated with a real server, and its table lists every tool and argument. */
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, expect, it } from "vitest"
import { oneHome } from "../support/homes.ts"
import { message, openMcp, type TestMcp, toolNames, visibleTenant } from "../support/mcpServer.ts"

const page = readFileSync(new URL("../../docs/mcp.md", import.meta.url), "utf8")

let mcp: TestMcp
let key: string
beforeAll(async () => {
  mcp = await openMcp(oneHome[0]!)
  key = (await mcp.run(visibleTenant())).key
})
afterAll(() => mcp.close())

/** Replaces ids and times by those on the page, and shortens long texts to their first sentence. */
const shortened = (value: unknown): string =>
  JSON.stringify(
    value,
    (name, member: unknown) =>
      name === "instructions" || name === "notice"
        ? (member as string).split(/(?<=[.:])\s/, 1)[0]
        : name === "text" && (member as string).startsWith("{")
        ? "the JSON of structuredContent"
        : member,
    2
  ).replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "01a1fdc2-…")

const conversation: ReadonlyArray<readonly [string, { readonly [name: string]: unknown }]> = [
  ["initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "example", version: "1" } }],
  ["tools/call", { name: "get_visibility_summary", arguments: {} }],
  ["tools/call", { name: "get_answer_archive", arguments: { limit: 1 } }],
  ["tools/call", { name: "get_scan_results", arguments: { platfrom: "assistant_a" } }]
]

it("the conversation on the page happens as the page shows it", async () => {
  const lines: Array<string> = []
  for (const [n, [method, params]] of conversation.entries()) {
    const sent = { ...message(method, params).body, id: n + 1 }
    const result = await mcp.result(key, method, params)
    lines.push(
      `// POST /api/mcp\n${JSON.stringify(sent)}`,
      `// answer\n${
        shortened({ jsonrpc: "2.0", id: n + 1, result }).replace(/(?<="next_cursor": ")[\w-]{20,}/g, "AQAAAZ…")
      }`
    )
  }
  const told = page.replace(
    /(^## A conversation\n.*?^```text\n).*?(^```)/ms,
    (_, before: string, after: string) => `${before}${lines.join("\n\n")}\n${after}`
  )
  // `vitest -u` updates the page
  await expect(told).toMatchFileSnapshot("../../docs/mcp.md")
})

it("the page names every tool with its arguments, every resource and every prompt", async () => {
  const { tools } = await mcp.result<{ tools: ReadonlyArray<{ name: string; inputSchema: { properties: object } }> }>(
    key,
    "tools/list"
  )
  const rows = [...page.matchAll(/^\| `(\w+)` +\| ([^|]*)\|/gm)].map(([, name, args]) => [
    name,
    [...args!.matchAll(/`(\w+)`/g)].map((match) => match[1])
  ])
  const named = rows.filter(([name]) => (toolNames as ReadonlyArray<unknown>).includes(name))
  expect(named).toEqual(tools.map(({ inputSchema, name }) => [name, Object.keys(inputSchema.properties)]))
  const { prompts } = await mcp.result<{ prompts: ReadonlyArray<{ name: string }> }>(key, "prompts/list")
  const { resourceTemplates } = await mcp.result<{ resourceTemplates: ReadonlyArray<{ uriTemplate: string }> }>(
    key,
    "resources/templates/list"
  )
  for (const { name } of prompts) expect(page).toContain(`\`${name}\``)
  for (const { uriTemplate } of resourceTemplates) expect(page).toContain(uriTemplate.replace("{?offset}", ""))
})
