/** Builds the platforms that a scan asks from the bindings in `sov.config.json` and the environment. */
import { Duration, Effect, Layer, Redacted, Result } from "effect"
import { createHash } from "node:crypto"
import { type PlatformId, platformIds } from "../../../domain/platforms/Platform.ts"
import { type AnswerPlatform, AnswerPlatforms } from "../../../ports/AnswerPlatform.ts"
import { PlatformLabels } from "../../../ports/PlatformLabels.ts"
import { RedirectResolver } from "../../../ports/RedirectResolver.ts"
import { makeAnthropicMessages } from "./AnthropicMessages.ts"
import type { PlatformBinding, RemoteBinding } from "./bindings.ts"
import { ConfigError } from "./configFault.ts"
import { makeDataForSeo } from "./DataForSeo.ts"
import { mapDisplayNames } from "./displayNames.ts"
import { makeGemini } from "./Gemini.ts"
import { makeHttpPlatform } from "./httpPlatform.ts"
import { inMarket, withSettings } from "./inMarket.ts"
import { makeMistral } from "./Mistral.ts"
import { makeOpenAiCompatible } from "./OpenAiCompatible.ts"
import { makeOpenAiResponses } from "./OpenAiResponses.ts"
import { makePerplexity } from "./Perplexity.ts"
import type { PlatformConfig } from "./PlatformConfig.ts"
import { canProxy } from "./postJson.ts"
import { makeRecorded } from "./Recorded.ts"
import { makeRedirectResolver } from "./redirectResolver.ts"
import { makeSimulated } from "./Simulated.ts"
import type { WireFormat } from "./wireFormat.ts"

export interface PlatformsOptions {
  /** Mixed into the seed of simulated platforms: another value gives other answers. Default "0". */
  readonly run?: string
  /**
   * Base directory for the paths of recorded answers: the configuration's directory. Default: the working directory.
   */
  readonly directory?: string
}

const sortMembers = (object: PlatformBinding | object): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(object)
    .filter(([name]) => name !== "label")
    .map(([name, value]) => {
      if (Duration.isDuration(value)) return [name, Duration.toMillis(value)] as const
      const nested = typeof value === "object" && value !== null && !Array.isArray(value)
      return [name, nested ? sortMembers(value) : value] as const
    })
    .sort(([a], [b]) => (a < b ? -1 : 1))

/**
 * sha256 (hex) of the settings that all workers must share: the judge, and the bindings with defaults filled in and
 * members in a fixed order. They contain no secrets. Labels are left out, because no request depends on them. The judge
 * is included because a worker without a judge would treat a scan as finished although its answers still wait for the
 * judge.
 */
export const digestBindings = ({ platforms, sentiment }: Pick<PlatformConfig, "platforms" | "sentiment">): string => {
  const canonical = platformIds.flatMap((id) => platforms[id] === undefined ? [] : [[id, sortMembers(platforms[id])]])
  return createHash("sha256").update(JSON.stringify([sentiment.judge, canonical])).digest("hex")
}

const readApiKey = (
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
  // A header cannot contain other characters, and the error for such a header would quote the key.
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

const checkProxy = (id: PlatformId, proxy: string | undefined): Result.Result<void, ConfigError> =>
  proxy === undefined || canProxy(process.versions.node)
    ? Result.succeed(undefined)
    : Result.fail(
      new ConfigError({
        message: `platforms.${id}.proxy needs Node 24.5 or newer (this is ${process.versions.node})`,
        hint: "Run sov with a newer Node, or remove the proxy."
      })
    )

const makeWireFormat = (binding: RemoteBinding): WireFormat => {
  switch (binding.adapter) {
    case "openai-responses":
      return makeOpenAiResponses(binding)
    case "anthropic-messages":
      return makeAnthropicMessages(binding)
    case "gemini":
      return makeGemini(binding)
    case "perplexity":
      return makePerplexity(binding)
    case "mistral":
      return makeMistral(binding)
    case "dataforseo":
      return makeDataForSeo(binding)
    case "openai-compatible":
      return makeOpenAiCompatible(binding)
  }
}

/**
 * Builds every configured platform. Reads only the variables of `env` that the bindings name; one that is unset, empty
 * or unfit for a header is a ConfigError that names it.
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
      if (binding.adapter === "simulated") {
        all.set(id, makeSimulated(id, binding, options?.run))
      } else if (binding.adapter === "recorded") {
        all.set(id, yield* makeRecorded(id, binding, options?.directory))
      } else {
        yield* checkProxy(id, binding.proxy)
        const apiKey = yield* readApiKey(id, binding.apiKeyEnv, env)
        all.set(
          id,
          makeHttpPlatform(id, binding, apiKey, makeWireFormat(binding), (market) => {
            const told = inMarket(binding, market)
            return { format: makeWireFormat(told.binding), market: withSettings(told) }
          })
        )
      }
    }
    return { all, digest: digestBindings(config) }
  })

const mapResolvers = ({ platforms }: PlatformConfig): typeof RedirectResolver.Service =>
  new Map(platformIds.flatMap((id) => {
    const binding = platforms[id]
    return binding?.adapter === "gemini" && binding.resolveRedirects === true
      ? [[id, makeRedirectResolver(binding.proxy ?? null)] as const]
      : []
  }))

/** `makePlatforms`, the labels and the resolvers as layers of their ports; logs the configuration's warnings. */
export const layerPlatforms = (
  config: PlatformConfig,
  env: Readonly<Record<string, string | undefined>>,
  options?: PlatformsOptions
): Layer.Layer<AnswerPlatforms, ConfigError> =>
  Layer.effect(
    AnswerPlatforms,
    Effect.suspend(() =>
      Effect.andThen(
        Effect.forEach(config.warnings ?? [], ({ message }) => Effect.logWarning(message), { discard: true }),
        Effect.fromResult(makePlatforms(config, env, options))
      )
    )
  ).pipe(
    Layer.merge(Layer.succeed(PlatformLabels, mapDisplayNames(config))),
    Layer.merge(Layer.sync(RedirectResolver, () => mapResolvers(config)))
  )
