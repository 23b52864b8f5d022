/**
 * Limits the addresses that receive secrets. A working directory with a `.env` and a `sov.config.json` may come from
 * another person, so an address from there receives only secrets from there. npm, git and curl bind a credential to its
 * host; here the operator does this, by naming the address or the file.
 */
import { isLoopback } from "@sov/core/common"
import { CliError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"

/** A warning if a key would be sent to this address unencrypted, otherwise null. */
export const plainHttpWarning = (key: string, address: string): string | null => {
  const url = URL.parse(address)
  return url === null || url.protocol !== "http:" || isLoopback(url.hostname)
    ? null
    : `${key} is sent to ${url.host} unencrypted, and everybody on the way can read it: use https://`
}

/** Where a variable's value came from. */
interface Origins {
  readonly isFromEnvFile: (variable: string) => boolean
}

/**
 * Why SOV_API_KEY is not sent to `url`: `.env` names the address but does not contain the key. Null if it may be sent.
 */
export const refuseServerOfEnvFile = (
  { isFromEnvFile, source, url }: Origins & { readonly url: string; readonly source: string | undefined }
): CliError | null => {
  const address = URL.parse(url)
  if (source !== "env" || !isFromEnvFile("SOV_URL") || isFromEnvFile("SOV_API_KEY")) return null
  if (address !== null && isLoopback(address.hostname)) return null
  return new CliError(
    "other-origin",
    exitCodes.usage,
    `.env of this directory names the server ${
      address?.host ?? "in SOV_URL"
    }, and SOV_API_KEY comes from elsewhere: it is not sent`,
    "if that server is meant, name it: --url, or SOV_URL in the environment; or put its key into .env, too"
  )
}

/** The addresses that adapters use unless `baseUrl` is set. */
const providers = new Set([
  "https://api.openai.com",
  "https://api.anthropic.com",
  "https://generativelanguage.googleapis.com",
  "https://api.perplexity.ai"
])

/** The part of a platform's configuration that says which key is sent to which address. */
interface KeyBinding {
  readonly apiKeyEnv?: string | undefined
  readonly baseUrl?: string | undefined
}

/** Platforms by their ids. A platform that sends no requests has no such settings. */
type Bindings = { readonly [id: string]: object | undefined }

const readBinding = (binding: object | undefined): KeyBinding => binding ?? {}

/**
 * Why a platform does not get the key that its configuration names: the configuration was found in the directory
 * instead of being named, and it would send a variable that neither looks like an API key nor comes from that directory
 * to an address of its own. Null if it gets the key.
 */
export const refuseForeignKey = (
  file: string,
  platforms: Bindings,
  { isFromEnvFile, isNamed }: Origins & { readonly isNamed: boolean }
): CliError | null => {
  if (isNamed) return null
  for (const [id, binding] of Object.entries(platforms)) {
    const { apiKeyEnv, baseUrl } = readBinding(binding)
    const url = baseUrl === undefined ? null : URL.parse(baseUrl)
    if (apiKeyEnv === undefined || url === null || providers.has(url.origin) || isLoopback(url.hostname)) continue
    if (apiKeyEnv.endsWith("_API_KEY") || isFromEnvFile(apiKeyEnv)) continue
    return new CliError(
      "foreign-key",
      exitCodes.usage,
      `platforms.${id} of ${file} would send ${apiKeyEnv} to ${url.host}`,
      `if that is meant, name the file: --config ${file}, or SOV_CONFIG in the environment; or give the key to a variable that ` +
        "ends with _API_KEY"
    )
  }
  return null
}

/** A warning for each platform whose key would be sent unencrypted. */
export const platformKeyWarnings = (platforms: Bindings): ReadonlyArray<string> =>
  Object.values(platforms).flatMap((binding) => {
    const { apiKeyEnv, baseUrl } = readBinding(binding)
    const warning = apiKeyEnv === undefined || baseUrl === undefined ? null : plainHttpWarning(apiKeyEnv, baseUrl)
    return warning === null ? [] : [warning]
  })
