/**
 * Every setting with its value and its source. The value of a secret is never included, only whether it is set;
 * environment.ts lists the variables that are secrets.
 */
import { platformIds } from "@sov/core/platforms"
import { Duration } from "effect"
import { resolve } from "node:path"
import { CliError } from "../../CliError.ts"
import type { FoundConfig, PlatformConfig } from "../../runtime.ts"
import { databaseUrl, type Origin, originOf, originOfVariable, redactUrl } from "../../settings/databaseLocation.ts"
import { environment, type Variable } from "../../settings/environment.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/** One setting. `value` is null if it is not set. A `secret` is never shown, only whether it is set. */
export interface Setting extends Origin {
  readonly name: string
  readonly value: string | number | null
  readonly secret: boolean
  /** For a setting that names the variable of a secret: whether that variable is set. */
  readonly api_key_present?: boolean
}

/** `SOV_REST_RATE` → `rest-rate` */
const settingName = (variable: string): string => variable.slice("SOV_".length).toLowerCase().replaceAll("_", "-")

/** sov's own variables for which there is no global option */
const variables = environment.filter(({ name }) =>
  name.startsWith("SOV_") && !["DATA_DIR", "DATABASE_URL", "CONFIG", "ORG", "URL"].includes(name.slice("SOV_".length))
)

const unsetOrigin: Origin = { source: "default", from: null }

const readVariableSetting = ({ default: used, name: variable, secret = false }: Variable): Setting => {
  const name = settingName(variable)
  const value = process.env[variable] ?? ""
  return value === ""
    ? { name, value: used ?? null, secret, ...unsetOrigin }
    : { name, value: secret ? "set" : value, secret, ...originOfVariable(variable) }
}

const readOptionSettings = (options: GlobalOptions): ReadonlyArray<Setting> => {
  const url = databaseUrl(options)
  const urlOrigin = options.databaseUrlFile === undefined
    ? originOfVariable("SOV_DATABASE_URL")
    : originOf(options, "databaseUrlFile")
  return [
    { name: "data-dir", value: resolve(options.dataDir), secret: false, ...originOf(options, "dataDir") },
    url === undefined
      ? { name: "database-url", value: null, secret: false, ...unsetOrigin }
      : { name: "database-url", value: redactUrl(url), secret: false, ...urlOrigin },
    { name: "config", value: resolve(options.config), secret: false, ...originOf(options, "config") },
    { name: "org", value: options.org ?? null, secret: false, ...originOf(options, "org") },
    {
      name: "url",
      value: (options.url ?? "") === "" ? null : redactUrl(options.url!),
      secret: false,
      ...originOf(options, "url")
    }
  ]
}

/** A value in the form that the configuration file uses. */
const formatValue = (value: unknown): string | number =>
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

interface GivenConfig {
  readonly platforms?: Readonly<Record<string, Fields>>
  readonly scan?: Fields
  readonly sentiment?: Fields
}

const parseGivenConfig = (text: string): GivenConfig => JSON.parse(text.replace(/^\uFEFF/, "")) as GivenConfig

const readFileSettings = ({ file, text }: FoundConfig, config: PlatformConfig): ReadonlyArray<Setting> => {
  const written = parseGivenConfig(text)
  const origin = (fields: Fields | undefined, name: string): Origin =>
    fields !== undefined && Object.hasOwn(fields, name) ? { source: "file", from: file } : unsetOrigin
  return [
    ...platformIds.flatMap((id) =>
      Object.entries(config.platforms[id] ?? {}).map(([field, value]): Setting => ({
        name: `platforms.${id}.${field}`,
        value: formatValue(value),
        secret: false,
        ...origin(written.platforms?.[id], field),
        ...field === "apiKeyEnv" ? { api_key_present: (process.env[String(value)] ?? "") !== "" } : {}
      }))
    ),
    { name: "scan.samples", value: config.scan.samples, secret: false, ...origin(written.scan, "samples") },
    { name: "sentiment.judge", value: config.sentiment.judge, secret: false, ...origin(written.sentiment, "judge") }
  ]
}

/** All settings, with those of the configuration file if there is a valid one. */
export const listSettings = (options: GlobalOptions, config: FoundConfig | null): ReadonlyArray<Setting> => [
  ...readOptionSettings(options),
  ...variables.map(readVariableSetting),
  ...config === null || config.decoded instanceof CliError ? [] : readFileSettings(config, config.decoded)
]

/**
 * Converts the other names that `sov config get` accepts, which are a setting's flag or variable, to the setting's
 * name.
 */
export const canonicalSettingName = (name: string): string =>
  /^SOV_[A-Z_]+$/.test(name) ? settingName(name) : name.replace(/^--/, "")
