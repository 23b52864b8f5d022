/** The configurations of MCP clients: each as its documentation has it, and none with a key. */
import { mcpClients, type McpEntry } from "@sov/core"
import { expect, it } from "vitest"

const http: McpEntry = { url: "https://sov.example.com/api/mcp" }
const stdio: McpEntry = { command: "/usr/bin/node", args: ["/a b/main.ts", "mcp"] }
const shown = (client: string, entry: McpEntry): unknown => JSON.parse(mcpClients[client]!.text(entry))
const withKey = (key: string) => ({ ...http, headers: { Authorization: `Bearer ${key}` } })

it("a client's configuration contains the address of the server and a placeholder for the key", () => {
  expect(shown("claude-code", http)).toEqual({ mcpServers: { sov: { type: "http", ...withKey("${SOV_API_KEY}") } } })
  expect(shown("cursor", http)).toEqual({ mcpServers: { sov: withKey("${env:SOV_API_KEY}") } })
  expect(shown("vscode", http)).toEqual({
    servers: { sov: { type: "http", ...withKey("${input:sov-api-key}") } },
    inputs: [{ type: "promptString", id: "sov-api-key", description: "API key of sov", password: true }]
  })
  expect(shown("generic", http)).toEqual({ mcpServers: { sov: { type: "http", ...withKey("<API_KEY>") } } })
  expect(mcpClients["codex"]!.text(http)).toBe(
    "[mcp_servers.sov]\nurl = \"https://sov.example.com/api/mcp\"\nbearer_token_env_var = \"SOV_API_KEY\""
  )
})

it("a client's configuration names the program that it starts", () => {
  for (const client of ["claude-code", "cursor", "generic"]) {
    expect(shown(client, stdio)).toEqual({ mcpServers: { sov: stdio } })
  }
  expect(shown("vscode", stdio)).toEqual({ servers: { sov: { type: "stdio", ...stdio } } })
  expect(mcpClients["codex"]!.text(stdio)).toBe(
    "[mcp_servers.sov]\ncommand = \"/usr/bin/node\"\nargs = [\"/a b/main.ts\",\"mcp\"]"
  )
})
