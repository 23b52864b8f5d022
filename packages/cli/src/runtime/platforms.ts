/** The platforms that scans ask, from `sov.config.json` and the environment. */
import {
  type ConfigError,
  decodePlatformConfig,
  findBoundModel,
  layerJudge,
  layerPlatforms,
  makePlatforms,
  mapDisplayNames,
  parsePlatformConfig,
  type PlatformConfig
} from "@sov/core/outbound"
import {
  type AnswerPlatform,
  AnswerPlatforms,
  namePlatform,
  type PlatformId,
  platformIds,
  type Provider
} from "@sov/core/platforms"
import type { ConfiguredPlatform } from "@sov/core/scoring"
import { Duration, Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { existsSync, readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { CliError } from "../CliError.ts"
import { describeError } from "../describeError.ts"
import { exitCodes } from "../exitCodes.ts"
import type { PlatformName } from "../output/Output.ts"
import { isFromEnvFile } from "../settings/envFile.ts"
import type { GlobalOptions } from "../settings/GlobalOptions.ts"
import { platformKeyWarnings, refuseForeignKey } from "../settings/secretOrigins.ts"
import { isRemote } from "../tree/isRemote.ts"

/** The configuration of one platform. */
export type Binding = NonNullable<PlatformConfig["platforms"][PlatformId]>

/** Reads and checks `sov.config.json`. */
export const readConfig = (options: GlobalOptions): PlatformConfig => {
  const file = resolve(options.config)
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw new CliError(
      "no-config",
      exitCodes.usage,
      code === "ENOENT" ? `no platforms are configured: there is no ${options.config}` : `cannot read ${file}: ${code}`,
      "`sov init` writes one, --config points to another, and `sov demo` needs none"
    )
  }
  return Result.getOrThrowWith(parsePlatformConfig(text, options.config), (error) => error)
}

/** Checks the content of a configuration file; `source` names the file in error messages. */
export const decodeConfig = (json: unknown, source: string): PlatformConfig =>
  Result.getOrThrowWith(decodePlatformConfig(json, source), (error) => error)

/** The `sov.config.json` that was found: its text, and its configuration or error. */
export interface FoundConfig {
  readonly file: string
  readonly text: string
  readonly decoded: PlatformConfig | CliError
}

/** Looks for the configuration; null if there is no file. */
export const findConfig = (options: GlobalOptions): FoundConfig | null => {
  const file = resolve(options.config)
  if (!existsSync(file)) return null
  try {
    const text = readFileSync(file, "utf8")
    return { file, text, decoded: Result.getOrElse(parsePlatformConfig(text, options.config), describeError) }
  } catch (error) {
    return { file, text: "", decoded: describeError(error) }
  }
}

/**
 * Names platforms by their labels in the configuration, which is read for the first name. A server that is reached over
 * HTTP may have another configuration, so its platforms have no labels.
 */
export const platformNames = (options: GlobalOptions): PlatformName => {
  let known: PlatformConfig["platforms"] | undefined
  const read = () => {
    const decoded = isRemote(options) ? undefined : findConfig(options)?.decoded
    return decoded === undefined || decoded instanceof CliError ? {} : decoded.platforms
  }
  return (id) => {
    known ??= read()
    const platform = platformIds.find((one) => one === id)
    const label = platform === undefined ? undefined : known[platform]?.label
    return platform === undefined || label === undefined ? id : namePlatform({ id: platform, label })
  }
}

/** The platforms of the configuration; null if there is no readable configuration. */
export const configuredPlatforms = (options: GlobalOptions): ReadonlyArray<ConfiguredPlatform> | null => {
  const config = findConfig(options)?.decoded
  return config === undefined || config instanceof CliError ? null : platformIds.flatMap((id) => {
    const platform = config.platforms[id]
    if (platform === undefined) return []
    const { adapter, label } = platform
    return [{ id, simulated: adapter === "simulated", ...label === undefined ? {} : { label } }]
  })
}

/** Display names of the configured platforms (`mapDisplayNames`); empty if there is no readable configuration. */
export const readPlatformLabels = (options: GlobalOptions): ReadonlyMap<PlatformId, string> => {
  const config = findConfig(options)?.decoded
  return config === undefined || config instanceof CliError ? new Map() : mapDisplayNames(config)
}

/** The platforms that `file` configures in this environment, or why they cannot be asked. */
export const buildPlatforms = (
  config: PlatformConfig,
  file: string,
  env: Readonly<Record<string, string | undefined>>
): ReadonlyArray<AnswerPlatform> | CliError =>
  Result.match(makePlatforms(config, env, { directory: dirname(file) }), {
    onFailure: describeError,
    onSuccess: ({ all }): ReadonlyArray<AnswerPlatform> | CliError => [...all.values()]
  })

/**
 * Identifies the provider of a configured platform, because records about another provider under the same name do not
 * apply to it.
 */
export const providerOf = (id: PlatformId, binding: Binding): Provider => ({
  adapter: binding.adapter,
  model: findBoundModel(id, binding),
  ..."baseUrl" in binding ? { baseUrl: binding.baseUrl } : {}
})

/** Why the platforms configured in `file` cannot be asked in this environment; null if they can. */
export const findPlatformsFault = (...given: Parameters<typeof buildPlatforms>): CliError | null => {
  const built = buildPlatforms(...given)
  return built instanceof CliError ? built : null
}

/** Why a key must not be sent, if the configuration was found instead of named; null if every key may be sent. */
export const findForeignKey = (options: GlobalOptions, { platforms }: PlatformConfig): CliError | null => {
  const source = options.sources?.["config"] ?? "default"
  const isNamed = source !== "default" && !(source === "env" && isFromEnvFile("SOV_CONFIG"))
  return refuseForeignKey(options.config, platforms, { isFromEnvFile, isNamed })
}

const checkKeys = (options: GlobalOptions, config: PlatformConfig): Effect.Effect<void, CliError> => {
  const refusal = findForeignKey(options, config)
  return refusal !== null
    ? Effect.fail(refusal)
    : Effect.forEach(platformKeyWarnings(config.platforms), (warning) => Effect.logWarning(warning), { discard: true })
}

/** The configured platforms as a layer, with the judge. */
export const platformsLayer = (
  options: GlobalOptions,
  config: PlatformConfig = readConfig(options)
): Layer.Layer<AnswerPlatforms, ConfigError | CliError> =>
  layerJudge(config).pipe(
    Layer.provideMerge(layerPlatforms(config, process.env, {
      run: `${Date.now()}-${process.pid}`,
      directory: dirname(resolve(options.config))
    })),
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provide(Layer.effectDiscard(checkKeys(options, config)))
  )

/** An empty set of platforms, for a process that only reads. */
export const noPlatforms = Layer.succeed(AnswerPlatforms, { all: new Map(), digest: "none" })

/**
 * The configured platforms for an estimate. The platforms are not asked, so their keys may be missing. `missing` lists
 * the variables of keys that are not set.
 */
export const platformsToPlan = (options: GlobalOptions, config: PlatformConfig) => {
  const missing = new Set<string>()
  const platforms: { -readonly [Id in keyof PlatformConfig["platforms"]]: PlatformConfig["platforms"][Id] } = {}
  for (const id of platformIds) {
    const binding = config.platforms[id]
    if (binding === undefined) continue
    const keyName = "apiKeyEnv" in binding ? binding.apiKeyEnv : undefined
    if (keyName === undefined || (process.env[keyName] ?? "") !== "") platforms[id] = binding
    else {
      missing.add(keyName)
      const { apiKeyEnv: _, ...keyless } = binding as Extract<typeof binding, { readonly apiKeyEnv?: string }>
      platforms[id] = keyless
    }
  }
  return { layer: platformsLayer(options, { ...config, platforms }), missing: [...missing] }
}

/** The names for simulated answers. */
interface SimulatedNames {
  readonly brand: string
  readonly competitors: ReadonlyArray<string>
}

/** A configuration with all five platforms simulated. Each answers one question at a time, after `latency`. */
export const simulatedConfig = (names: SimulatedNames, seed: number, latency: Duration.Duration) => ({
  platforms: Object.fromEntries(
    platformIds.map((id) => [
      id,
      { adapter: "simulated", seed, ...names, latency: `${Duration.toMillis(latency)} millis`, concurrency: 1 }
    ])
  )
})

/**
 * Five simulated platforms, which answer about these names without delay; the same `seed` and `run` give the same
 * answers.
 */
export const simulatedPlatforms = (
  names: SimulatedNames,
  seed: number,
  run: string
): Layer.Layer<AnswerPlatforms, ConfigError> => {
  const platforms = Object.fromEntries(platformIds.map((id) => [id, { adapter: "simulated", seed, ...names }]))
  return layerPlatforms(Result.getOrThrow(decodePlatformConfig({ platforms }, "demo")), {}, { run })
}
