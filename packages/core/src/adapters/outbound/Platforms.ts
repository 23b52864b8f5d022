/** From the bindings of `sov.config.json` and the environment to the platforms that a scan asks. */
import { Duration, Effect, Layer, Redacted, Result } from "effect"
import { createHash } from "node:crypto"
import { type PlatformId, platformIds } from "../../domain/Platform.ts"
import { type AnswerPlatform, AnswerPlatforms } from "../../ports/AnswerPlatform.ts"
import { makeOpenAiCompatible } from "./OpenAiCompatible.ts"
import { ConfigError, type PlatformBinding, type PlatformConfig } from "./PlatformConfig.ts"
import { makeSimulated } from "./Simulated.ts"

export interface PlatformsOptions {
  /** Seeds the noise of simulated platforms beside their seed: another run, other draws. Default "0". */
  readonly run?: string
}

/** sha256 (hex) over the bindings with their defaults filled in, members in fixed order; they hold no secret. */
export const bindingsDigest = (platforms: PlatformConfig["platforms"]): string => {
  const sorted = (binding: PlatformBinding) =>
    Object.entries(binding)
      .map(([name, value]) => [name, Duration.isDuration(value) ? Duration.toMillis(value) : value] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  const canonical = platformIds.flatMap((id) => platforms[id] === undefined ? [] : [[id, sorted(platforms[id])]])
  return createHash("sha256").update(JSON.stringify(canonical)).digest("hex")
}

const apiKeyOf = (
  id: PlatformId,
  name: string | undefined,
  env: Readonly<Record<string, string | undefined>>
): Result.Result<Redacted.Redacted | null, ConfigError> => {
  if (name === undefined) return Result.succeed(null)
  const value = env[name]
  if (value === undefined || value === "") {
    return Result.fail(
      new ConfigError({
        message: `platforms.${id}.apiKeyEnv names ${name}, but that environment variable is not set`,
        hint: `Set ${name} to the API key, or remove apiKeyEnv if the platform needs none.`
      })
    )
  }
  // A header cannot carry anything else, and the error of the attempt would quote the key.
  if (!/^[\x21-\x7e]{1,4096}$/.test(value)) {
    return Result.fail(
      new ConfigError({
        message: `${name} (platforms.${id}.apiKeyEnv) is no API key: it holds a space or line break, or is too long`,
        hint: `Set ${name} to the bare API key.`
      })
    )
  }
  return Result.succeed(Redacted.make(value, { label: name }))
}

/**
 * Builds every configured platform. `env` is looked into only for the variables that the bindings name; one that is
 * unset, empty or unfit for a header is a ConfigError naming it.
 */
export const makePlatforms = (
  config: PlatformConfig,
  env: Readonly<Record<string, string | undefined>>,
  options?: PlatformsOptions
): Result.Result<AnswerPlatforms["Service"], ConfigError> =>
  Result.gen(function*() {
    const all = new Map<PlatformId, AnswerPlatform>()
    for (const id of platformIds) {
      const binding = config.platforms[id]
      if (binding === undefined) continue
      all.set(
        id,
        binding.adapter === "simulated"
          ? makeSimulated(id, binding, options?.run)
          : makeOpenAiCompatible(id, binding, yield* apiKeyOf(id, binding.apiKeyEnv, env))
      )
    }
    return { all, digest: bindingsDigest(config.platforms) }
  })

/** `makePlatforms` as the layer of the port. */
export const layerPlatforms = (
  config: PlatformConfig,
  env: Readonly<Record<string, string | undefined>>,
  options?: PlatformsOptions
): Layer.Layer<AnswerPlatforms, ConfigError> =>
  Layer.effect(AnswerPlatforms, Effect.suspend(() => Effect.fromResult(makePlatforms(config, env, options))))
