/**
 * sov mcp config: prints the configuration for each client. It contains no key, only the place where the client finds
 * its key.
 */
import { mcpClients, type McpEntry } from "@sov/core/access"
import { Effect } from "effect"
import { resolve } from "node:path"
import { CliError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { runWithoutDatabase } from "../../runtime.ts"
import { databaseUrl } from "../../settings/databaseLocation.ts"
import { defaults } from "../../settings/environment.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { serverAddress } from "../../settings/serverAddress.ts"

interface ConfigOptions extends GlobalOptions {
  readonly url?: string
  readonly stdio?: boolean
}

const serverUrl = (options: ConfigOptions): string | CliError => {
  const given = options.url ?? serverAddress(
    process.env["SOV_HOST"] || defaults.SOV_HOST,
    process.env["SOV_PORT"] || defaults.SOV_PORT
  )
  const url = URL.parse(given)
  return url !== null && /^https?:$/.test(url.protocol)
    ? `${url.href.replace(/\/+(api\/mcp\/*)?$/, "")}/api/mcp`
    : new CliError("bad-url", exitCodes.usage, `--url must be an http or https address, not ${JSON.stringify(given)}`)
}

/** The command that starts this program from any folder. */
const makeStdioEntry = (options: ConfigOptions): McpEntry => ({
  command: process.execPath,
  args: [
    process.argv[1]!,
    "mcp",
    ...databaseUrl(options) === undefined ? ["--data-dir", resolve(options.dataDir)] : [],
    ...options.org === undefined ? [] : ["--org", options.org]
  ]
})

export const config = (options: ConfigOptions, name: string) =>
  runWithoutDatabase(options, function*({ out }) {
    const { place, text } = mcpClients[name]!
    const url = options.stdio === true ? "" : serverUrl(options)
    if (url instanceof CliError) return yield* Effect.fail(url)
    const entry = options.stdio === true ? makeStdioEntry(options) : { url }
    out.note(`For ${options.stdio === true ? place.split(";", 1)[0] : place}:`)
    if (options.stdio === true && databaseUrl(options) !== undefined) {
      out.note("The client must set SOV_DATABASE_URL for sov; it is not written here.")
    }
    out.line(text(entry))
  })
