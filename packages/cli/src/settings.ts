/**
 * Every setting with its value and where the value comes from. A secret's value is never in it, only whether it is set:
 * a variable that is one is listed in `variables` as secret.
 */
import { platformIds } from "@sov/core"
import { Duration } from "effect"
import { resolve } from "node:path"
import { CliError } from "./CliError.ts"
import type { GlobalOptions } from "./GlobalOptions.ts"
import { databaseUrl, type Origin, originOf, originOfVariable, shownUrl } from "./place.ts"
import type { FoundConfig, PlatformConfig } from "./runtime.ts"

/** One setting; `value` null = not set, `secret` = set or not, and never shown. */
export interface Setting extends Origin {
  readonly name: string
  readonly value: string | number | null
  readonly secret: boolean
  /** For a setting that names the variable of a secret: whether that is set. */
  readonly api_key_present?: boolean
}

/** Variables that no option stands for. */
const variables: ReadonlyArray<{ readonly name: string; readonly variable: string; readonly secret: boolean }> = [
  { name: "signing-secret", variable: "SOV_SIGNING_SECRET", secret: true },
  { name: "source-table", variable: "SOV_SOURCE_TABLE", secret: false },
  { name: "encryption-keys", variable: "SOV_ENCRYPTION_KEYS", secret: true },
  { name: "webhook-allow-cidrs", variable: "SOV_WEBHOOK_ALLOW_CIDRS", secret: false },
  { name: "webhook-allow-http", variable: "SOV_WEBHOOK_ALLOW_HTTP", secret: false },
  { name: "host", variable: "SOV_HOST", secret: false },
  { name: "port", variable: "SOV_PORT", secret: false },
  { name: "public-url", variable: "SOV_PUBLIC_URL", secret: false },
  { name: "allowed-hosts", variable: "SOV_ALLOWED_HOSTS", secret: false },
  { name: "rest-rate", variable: "SOV_REST_RATE", secret: false },
  { name: "mcp-rate", variable: "SOV_MCP_RATE", secret: false },
  { name: "metrics", variable: "SOV_METRICS", secret: false },
  { name: "smtp-url", variable: "SOV_SMTP_URL", secret: true },
  { name: "mail-from", variable: "SOV_MAIL_FROM", secret: false },
  { name: "api-key", variable: "SOV_API_KEY", secret: true }
]

const unset: Origin = { source: "default", from: null }

const ofVariable = ({ name, secret, variable }: typeof variables[number]): Setting => {
  const value = process.env[variable] ?? ""
  return value === ""
    ? { name, value: null, secret, ...unset }
    : { name, value: secret ? "set" : value, secret, ...originOfVariable(variable) }
}

const ofOptions = (options: GlobalOptions): ReadonlyArray<Setting> => {
  const url = databaseUrl(options)
  const urlOrigin = options.databaseUrlFile === undefined
    ? originOfVariable("SOV_DATABASE_URL")
    : originOf(options, "databaseUrlFile")
  return [
    { name: "data-dir", value: resolve(options.dataDir), secret: false, ...originOf(options, "dataDir") },
    url === undefined
      ? { name: "database-url", value: null, secret: false, ...unset }
      : { name: "database-url", value: shownUrl(url), secret: false, ...urlOrigin },
    { name: "config", value: resolve(options.config), secret: false, ...originOf(options, "config") },
    { name: "org", value: options.org ?? null, secret: false, ...originOf(options, "org") },
    {
      name: "url",
      value: (options.url ?? "") === "" ? null : shownUrl(options.url!),
      secret: false,
      ...originOf(options, "url")
    }
  ]
}

/** A value as the file would say it. */
const shown = (value: unknown): string | number =>
  Duration.isDuration(value)
    ? `${
      Duration.toMillis(value) % 1000 === 0
        ? `${Duration.toSeconds(value)} seconds`
        : `${Duration.toMillis(value)} millis`
    }`
    : typeof value === "number"
    ? value
    : typeof value === "string"
    ? value
    : JSON.stringify(value)

type Fields = Readonly<Record<string, unknown>>

const given = (text: string): { readonly platforms?: Readonly<Record<string, Fields>>; readonly scan?: Fields } =>
  JSON.parse(text.replace(/^\uFEFF/, "")) as ReturnType<typeof given>

const ofFile = ({ file, text }: FoundConfig, config: PlatformConfig): ReadonlyArray<Setting> => {
  const written = given(text)
  const origin = (fields: Fields | undefined, name: string): Origin =>
    fields !== undefined && Object.hasOwn(fields, name) ? { source: "file", from: file } : unset
  return [
    ...platformIds.flatMap((id) =>
      Object.entries(config.platforms[id] ?? {}).map(([field, value]): Setting => ({
        name: `platforms.${id}.${field}`,
        value: shown(value),
        secret: false,
        ...origin(written.platforms?.[id], field),
        ...field === "apiKeyEnv" ? { api_key_present: (process.env[String(value)] ?? "") !== "" } : {}
      }))
    ),
    { name: "scan.samples", value: config.scan.samples, secret: false, ...origin(written.scan, "samples") }
  ]
}

/** All settings; those of the configuration file when there is one that can be used. */
export const settingsOf = (options: GlobalOptions, config: FoundConfig | null): ReadonlyArray<Setting> => [
  ...ofOptions(options),
  ...variables.map(ofVariable),
  ...config === null || config.decoded instanceof CliError ? [] : ofFile(config, config.decoded)
]

/** Other names by which `sov config get` knows a setting: its flag and its variable. */
export const canonicalName = (name: string): string => {
  const variable = variables.find((one) => one.variable === name)
  if (variable !== undefined) return variable.name
  return /^SOV_[A-Z_]+$/.test(name) ? name.slice(4).toLowerCase().replaceAll("_", "-") : name.replace(/^--/, "")
}
