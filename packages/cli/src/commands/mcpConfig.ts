/** sov mcp config: what each client's configuration needs. A key is never in it, only where the client takes it from. */
import { Effect } from "effect"
import { resolve } from "node:path"
import { CliError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"
import type { GlobalOptions } from "../GlobalOptions.ts"
import { databaseUrl } from "../place.ts"
import { runWithoutDatabase } from "../runtime.ts"
import { serverAddress } from "../serverAddress.ts"

interface ConfigOptions extends GlobalOptions {
  readonly url?: string
  readonly stdio?: boolean
}

/** How a client reaches sov: over HTTP, or by starting it. */
type Entry =
  | { readonly url: string }
  | { readonly command: string; readonly args: ReadonlyArray<string> }

interface Client {
  /** Where the text belongs. */
  readonly place: string
  readonly text: (entry: Entry) => string
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2)

/** `{"mcpServers": {"sov": …}}`; `key` is how the client writes the value of a variable. */
const servers = (entry: Entry, key: string, name = "mcpServers", type: object = { type: "http" }): object => ({
  [name]: {
    sov: "url" in entry
      ? { ...type, url: entry.url, headers: { Authorization: `Bearer ${key}` } }
      : { ...(name === "servers" ? { type: "stdio" } : {}), ...entry }
  }
})

const toml = (entry: Entry): string =>
  "url" in entry
    ? `[mcp_servers.sov]\nurl = ${JSON.stringify(entry.url)}\nbearer_token_env_var = "SOV_API_KEY"`
    : `[mcp_servers.sov]\ncommand = ${JSON.stringify(entry.command)}\nargs = ${JSON.stringify(entry.args)}`

const prompted = [{ type: "promptString", id: "sov-api-key", description: "API key of sov", password: true }]

const clients: { readonly [client: string]: Client } = {
  "claude-code": {
    place: ".mcp.json in the project; the key comes from the variable SOV_API_KEY",
    text: (entry) => json(servers(entry, "${SOV_API_KEY}"))
  },
  cursor: {
    place: ".cursor/mcp.json; the key comes from the variable SOV_API_KEY",
    text: (entry) => json(servers(entry, "${env:SOV_API_KEY}", "mcpServers", {}))
  },
  vscode: {
    place: ".vscode/mcp.json; the editor asks for the key once and keeps it",
    text: (entry) =>
      json({
        ...servers(entry, "${input:sov-api-key}", "servers"),
        ..."url" in entry ? { inputs: prompted } : {}
      })
  },
  codex: { place: "~/.codex/config.toml; the key comes from the variable SOV_API_KEY", text: toml },
  generic: {
    place: "the configuration of any client that takes a URL and headers; put a key in the place of <API_KEY>",
    text: (entry) => json(servers(entry, "<API_KEY>"))
  }
}

const serverUrl = (options: ConfigOptions): string | CliError => {
  const given = options.url ?? serverAddress(process.env["SOV_HOST"] ?? "127.0.0.1", process.env["SOV_PORT"] ?? "4680")
  const url = URL.parse(given)
  return url !== null && /^https?:$/.test(url.protocol)
    ? `${url.href.replace(/\/+$/, "")}/api/mcp`
    : new CliError("bad-url", exitCodes.usage, `--url must be an http or https address, not ${JSON.stringify(given)}`)
}

/** This very program, as another one can start it from anywhere. */
const ownCommand = (options: ConfigOptions): Entry => ({
  command: process.execPath,
  args: [
    process.argv[1]!,
    "mcp",
    ...databaseUrl(options) === undefined ? ["--data-dir", resolve(options.dataDir)] : [],
    ...options.org === undefined ? [] : ["--org", options.org]
  ]
})

export const config = (options: ConfigOptions, name: string) =>
  runWithoutDatabase(options, ({ out }) =>
    Effect.gen(function*() {
      const { place, text } = clients[name]!
      const url = options.stdio === true ? "" : serverUrl(options)
      if (url instanceof CliError) return yield* Effect.fail(url)
      const entry = options.stdio === true ? ownCommand(options) : { url }
      out.note(`For ${options.stdio === true ? place.split(";", 1)[0] : place}:`)
      if (options.stdio === true && databaseUrl(options) !== undefined) {
        out.note("The client must set SOV_DATABASE_URL for sov; it is not written here.")
      }
      out.line(text(entry))
    }))
