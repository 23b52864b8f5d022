import { Effect } from "effect"
import { CliError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"
import { defaults } from "./environment.ts"
import { serverAddress } from "./serverAddress.ts"

/**
 * Scheme and host of an http or https address; null for an address with a path, a query or a user, and for any other
 * text.
 */
export const parseOrigin = (text: string): string | null => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : null
}

/**
 * Scheme and host of the server that `option` or the environment names, or else of the server that `sov serve` starts
 * on this machine. Fails with CliError for an invalid address.
 */
export const serverOrigin = (option: string, given: string | undefined): Effect.Effect<string, CliError> => {
  const text = given ??
    serverAddress(process.env["SOV_HOST"] || defaults.SOV_HOST, process.env["SOV_PORT"] || defaults.SOV_PORT)
  const origin = parseOrigin(text)
  return origin !== null ? Effect.succeed(origin) : Effect.fail(
    new CliError(
      "bad-url",
      exitCodes.usage,
      `${option} must be an http or https address without path, query or user, not ${
        JSON.stringify(text.replace(/\/\/.*@/, "//[redacted]@"))
      }`
    )
  )
}
