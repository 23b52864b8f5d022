/** Checks `.env`, `sov.config.json`, and the keys that it names. */
import { platformIds } from "@sov/core/platforms"
import { Effect } from "effect"
import { type Stats, statSync } from "node:fs"
import { CliError } from "../../../CliError.ts"
import { findPlatformsFault, type FoundConfig } from "../../../runtime.ts"
import { type Check, type CheckContext, fail, type Finding, ok, skipped, warn } from "./Check.ts"

/** Checks the permissions of a `.env` file with secrets; undefined if there is no such file. */
export const diagnoseEnvFile = (found: Pick<Stats, "mode"> | undefined): Finding => {
  if (found === undefined) return ok("no .env here")
  return (found.mode & 0o077) === 0
    ? ok(".env is readable by this user alone")
    : warn(`.env is open to other users (mode ${(found.mode & 0o777).toString(8)})`, "chmod 600 .env")
}

export const envFile: Check = {
  name: "env-file",
  run: () => Effect.sync(() => diagnoseEnvFile(statSync(".env", { throwIfNoEntry: false })))
}

export const configFile: Check = {
  name: "config",
  run: ({ config, options }) =>
    Effect.sync(() => {
      if (config === null) {
        return warn(`there is no ${options.config}`, "`sov init` writes one, --config points to another")
      }
      const { decoded, file } = config
      if (decoded instanceof CliError) return fail(decoded.message, decoded.hint ?? `correct ${file}`)
      const [outdated] = decoded.warnings ?? []
      if (outdated !== undefined) return warn(outdated.message, `change ${file}`)
      const ids = platformIds.filter((id) => decoded.platforms[id] !== undefined)
      return ids.length === 0
        ? warn(`${file} configures no platform`, "add one; docs/configuration.md shows an example")
        : ok(`${file}: ${ids.join(", ")}`)
    })
}

const keyLike = [
  /\b(?:sk|rk|pk|pplx|xai)-[\w-]{16,}/,
  /\bAIza[\w-]{30,}/,
  /\bgsk_\w{16,}/,
  /\bsov_live_\w{20,}/,
  /\bbearer\s+\S{16,}/i,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\./,
  /:\/\/[^/@\s]+:[^/@\s]+@/
]
const secretName = /^(?:api[-_]?key|key|token|secret|password|authorization)$/i

/** The paths of values that look like secrets, without the values themselves. */
const secretPlaces = (value: unknown, path: string, name: string): ReadonlyArray<string> => {
  if (typeof value === "string") {
    return (secretName.test(name) && value !== "") || keyLike.some((form) => form.test(value)) ? [path] : []
  }
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => secretPlaces(inner, path === "" ? key : `${path}.${key}`, key))
}

/** Checks that the text of `sov.config.json` contains no secret. */
export const diagnoseSecrets = ({ file, text }: Pick<FoundConfig, "file" | "text">): Finding => {
  const fix = "put it into the environment or .env, name the variable in apiKeyEnv, and replace a key that others saw"
  let places: ReadonlyArray<string>
  try {
    places = secretPlaces(JSON.parse(text.replace(/^\uFEFF/, "")), "", "")
  } catch {
    places = keyLike.some((form) => form.test(text)) ? ["its text"] : []
  }
  return places.length === 0
    ? ok(`none in ${file}`)
    : fail(`${file} holds what looks like a secret: ${places[0]!}`, fix)
}

export const secrets: Check = {
  name: "secrets",
  run: ({ config }) => Effect.sync(() => config === null ? skipped("no configuration file") : diagnoseSecrets(config))
}

/** Checks that each platform's key is set and can be sent. Never shows keys. */
export const diagnoseKeys = ({ config, env }: Pick<CheckContext, "config" | "env">): Finding => {
  if (config === null || config.decoded instanceof CliError) {
    return skipped("no usable configuration", "correct the configuration first")
  }
  const bindings = Object.entries(config.decoded.platforms)
  const named = bindings.flatMap(([id, binding]) =>
    "apiKeyEnv" in binding && binding.apiKeyEnv !== undefined
      ? [{ id, variable: binding.apiKeyEnv }]
      : []
  )
  const unset = named.filter(({ variable }) => (env[variable] ?? "") === "")
  if (unset.length > 0) {
    return fail(
      `not set: ${unset.map(({ id, variable }) => `${variable} (${id})`).join(", ")}`,
      `export ${unset[0]!.variable}=…, or write it into .env (mode 600)`
    )
  }
  const fault = findPlatformsFault(config.decoded, config.file, env)
  if (fault !== null) return fail(fault.message, fault.hint ?? "set it to the bare API key")
  return ok(named.length === 0 ? "no platform needs one" : `set: ${named.map(({ variable }) => variable).join(", ")}`)
}

export const keys: Check = { name: "api-keys", run: (at) => Effect.sync(() => diagnoseKeys(at)) }
