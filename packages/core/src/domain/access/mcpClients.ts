/** Configurations of MCP clients. They contain no keys, only the place from which the client reads its key. */

/** How a client reaches sov: over HTTP, or by starting it as a process. */
export type McpEntry =
  | { readonly url: string }
  | { readonly command: string; readonly args: ReadonlyArray<string> }

interface Client {
  /** The client's display name. */
  readonly title: string
  /** Where the text of the configuration belongs. */
  readonly place: string
  readonly text: (entry: McpEntry) => string
}

const formatJson = (value: unknown): string => JSON.stringify(value, undefined, 2)

/** Formats `{"mcpServers": {"sov": …}}`; `key` is the client's notation for the value of a variable. */
const formatServers = (entry: McpEntry, key: string, name = "mcpServers", type: object = { type: "http" }): object => ({
  [name]: {
    sov: "url" in entry
      ? { ...type, url: entry.url, headers: { Authorization: `Bearer ${key}` } }
      : { ...(name === "servers" ? { type: "stdio" } : {}), ...entry }
  }
})

const formatToml = (entry: McpEntry): string =>
  "url" in entry
    ? `[mcp_servers.sov]\nurl = ${JSON.stringify(entry.url)}\nbearer_token_env_var = "SOV_API_KEY"`
    : `[mcp_servers.sov]\ncommand = ${JSON.stringify(entry.command)}\nargs = ${JSON.stringify(entry.args)}`

const apiKeyPrompt = [{ type: "promptString", id: "sov-api-key", description: "API key of sov", password: true }]

/** The configuration of each client. */
export const mcpClients: { readonly [client: string]: Client } = {
  "claude-code": {
    title: "Claude Code",
    place: ".mcp.json in the project; the key comes from the variable SOV_API_KEY",
    text: (entry) => formatJson(formatServers(entry, "${SOV_API_KEY}"))
  },
  cursor: {
    title: "Cursor",
    place: ".cursor/mcp.json; the key comes from the variable SOV_API_KEY",
    text: (entry) => formatJson(formatServers(entry, "${env:SOV_API_KEY}", "mcpServers", {}))
  },
  vscode: {
    title: "VS Code",
    place: ".vscode/mcp.json; the editor asks for the key once and keeps it",
    text: (entry) =>
      formatJson({
        ...formatServers(entry, "${input:sov-api-key}", "servers"),
        ..."url" in entry ? { inputs: apiKeyPrompt } : {}
      })
  },
  codex: {
    title: "Codex",
    place: "~/.codex/config.toml; the key comes from the variable SOV_API_KEY",
    text: formatToml
  },
  generic: {
    title: "another client",
    place: "the configuration of any client that takes a URL and headers; put a key in the place of <API_KEY>",
    text: (entry) => formatJson(formatServers(entry, "<API_KEY>"))
  }
}
