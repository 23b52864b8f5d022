/**
 * The contents of `sov.config.json`: which adapter answers for each of the five platforms, and how often a scan asks.
 * The file never contains API keys, only the names of the environment variables that hold them.
 */
import { Effect, Result, Schema } from "effect"
import { didYouMean } from "../../../domain/didYouMean.ts"
import { describeJsonFault, parseJson } from "../../../domain/parseJson.ts"
import { type PlatformId, platformIds } from "../../../domain/platforms/Platform.ts"
import { surfaceOf } from "../../../domain/platforms/surface.ts"
import { maxSamples } from "../../../domain/scanning/startRequest.ts"
import {
  type AdapterName,
  bindings,
  describeAllowedValue,
  locationSchemas,
  type PlatformBinding,
  PricesBinding,
  searchOnlyOptions
} from "./bindings.ts"
import {
  checkKnownMembers,
  type ConfigError,
  decodeFields,
  decodeMembers,
  describeFound,
  failConfig,
  quoteConfigName
} from "./configFault.ts"
import { fromSonar } from "./fromSonar.ts"
import { checkHeaders } from "./headerRules.ts"
import { isPreset } from "./Perplexity.ts"

/**
 * The decoded file: bindings by platform (a platform left out is skipped), samples per cell (1–5), the platform that
 * judges the sentiment of answers (null: rules only), and warnings. A warning is one line about something that the
 * operator should change although the file is usable, with its platform.
 */
export interface PlatformConfig {
  readonly platforms: Readonly<Partial<Record<PlatformId, PlatformBinding>>>
  readonly scan: { readonly samples: number }
  readonly sentiment: { readonly judge: PlatformId | null }
  readonly warnings?: ReadonlyArray<{ readonly platform: PlatformId; readonly message: string }>
}

const Scan = Schema.Struct({
  samples: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxSamples })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(1))
  )
})

const adapterNames = Object.keys(bindings) as ReadonlyArray<AdapterName>

const decodeAdapterName = (source: string, path: string, name: unknown): Result.Result<AdapterName, ConfigError> => {
  const adapter = adapterNames.find((known) => known === name)
  if (adapter !== undefined) return Result.succeed(adapter)
  const given = typeof name === "string" ? quoteConfigName(name) : describeFound(name)
  const meant = typeof name === "string" ? didYouMean(name, adapterNames) : null
  return failConfig(
    source,
    name === undefined
      ? `${path}.adapter is missing; allowed: ${adapterNames.join(", ")}`
      : `${path}.adapter is unknown: ${given}; allowed: ${adapterNames.join(", ")}`,
    meant === null ? `Set ${path}.adapter to one of the allowed values.` : `Did you mean "${meant}"?`
  )
}

/** Refuses an option that this adapter lacks but another adapter has, and names the adapters that have it. */
const checkAdapterHas = (
  source: string,
  path: string,
  adapter: AdapterName,
  given: object
): Result.Result<void, ConfigError> => {
  for (const field of Object.keys(given)) {
    if (Object.hasOwn(bindings[adapter].fields, field)) continue
    const others = adapterNames.filter((name) => Object.hasOwn(bindings[name].fields, field))
    if (others.length > 0) {
      return failConfig(
        source,
        `${path}.${field} is no option of ${adapter}; adapters that have it: ${others.join(", ")}`,
        `Remove ${path}.${field}, or choose another adapter.`
      )
    }
  }
  return Result.succeed(undefined)
}

/** Checks that `prices` contains at least one price, and that the cost of answers is known if there is a budget. */
const checkCosts = (
  source: string,
  path: string,
  adapter: AdapterName,
  given: Record<string, unknown>
): Result.Result<void, ConfigError> =>
  Result.gen(function*() {
    if (given["prices"] !== undefined) {
      const prices = yield* decodeMembers(source, `${path}.prices`, given["prices"])
      yield* decodeFields(source, `${path}.prices`, PricesBinding, prices, describeAllowedValue)
      const { from: _from, until: _until, ...amounts } = PricesBinding.fields
      if (!Object.keys(prices).some((name) => name in amounts)) {
        return yield* failConfig(
          source,
          `${path}.prices names no price; allowed: ${Object.keys(amounts).join(", ")}`,
          `Add one, or remove ${path}.prices.`
        )
      }
    } else if (
      typeof given["monthlyBudgetUsd"] === "number" && adapter !== "perplexity" && adapter !== "dataforseo" &&
      given["costReported"] !== true
    ) {
      const mayReport = "costReported" in bindings[adapter].fields
      return yield* failConfig(
        source,
        `${path}.monthlyBudgetUsd needs ${path}.prices: ${
          mayReport ? `not every provider behind ${adapter} says` : `${adapter} does not say`
        } what an answer costs`,
        `Set ${path}.prices to ${describeAllowedValue("prices")}${
          mayReport ? `, or ${path}.costReported to true if every answer names its cost` : ""
        }.`
      )
    }
  })

interface DecodedBinding {
  readonly binding: PlatformBinding
  readonly warning: string | null
}

const decodeBinding = (source: string, path: string, value: unknown): Result.Result<DecodedBinding, ConfigError> =>
  Result.gen(function*() {
    const written = yield* decodeMembers(source, path, value)
    const adapter = yield* decodeAdapterName(source, path, written["adapter"])
    yield* checkAdapterHas(source, path, adapter, written)
    const { given, warning } = adapter === "perplexity"
      ? yield* fromSonar(source, path, written)
      : { given: written, warning: null }
    if (given["headers"] !== undefined) yield* checkHeaders(source, `${path}.headers`, given["headers"])
    if (given["location"] !== undefined && Object.hasOwn(locationSchemas, adapter)) {
      const schema: Schema.Struct<Schema.Struct.Fields> & { readonly DecodingServices: never } =
        locationSchemas[adapter as keyof typeof locationSchemas]
      const at = `${path}.location`
      yield* decodeFields(source, at, schema, yield* decodeMembers(source, at, given["location"]), describeAllowedValue)
    }
    yield* checkCosts(source, path, adapter, given)
    const binding: PlatformBinding = yield* decodeFields(
      source,
      path,
      bindings[adapter],
      given,
      (field) => describeAllowedValue(field, adapter)
    )
    if (binding.adapter === "perplexity" && !binding.webSearch && isPreset(binding.model)) {
      return yield* failConfig(
        source,
        `${path}.webSearch cannot be false for a preset of Perplexity: presets search by themselves`,
        `Set ${path}.model to a model such as "perplexity/sonar", or remove ${path}.webSearch.`
      )
    }
    if ("webSearch" in binding && !binding.webSearch) {
      const idle = searchOnlyOptions[adapter]?.find((field) => given[field] !== undefined)
      if (idle !== undefined) {
        return yield* failConfig(
          source,
          `${path}.${idle} has no effect without the web search`,
          `Set ${path}.webSearch to true, or remove ${path}.${idle}.`
        )
      }
    }
    return { binding, warning }
  })

/**
 * Checks that labels are unique, because people tell platforms apart by them, and that none equals another platform's
 * identifier.
 */
const checkLabels = (source: string, platforms: PlatformConfig["platforms"]): Result.Result<void, ConfigError> => {
  const seen = new Map<string, PlatformId>(platformIds.map((id) => [id, id]))
  for (const id of platformIds) {
    const label = platforms[id]?.label
    if (label === undefined) continue
    const other = seen.get(label.toLowerCase())
    if (other !== undefined && (other !== id || label.toLowerCase() !== id)) {
      return failConfig(
        source,
        `platforms.${id}.label ${quoteConfigName(label)} is taken by ${other}`,
        `Set platforms.${id}.label to another name.`
      )
    }
    seen.set(label.toLowerCase(), id)
  }
  return Result.succeed(undefined)
}

/** Decodes the judge, which must be a configured platform whose answers depend on its prompt. */
const decodeJudge = (
  source: string,
  platforms: PlatformConfig["platforms"],
  given: unknown
): Result.Result<PlatformId | null, ConfigError> =>
  Result.gen(function*() {
    const fields = yield* decodeMembers(source, "sentiment", given)
    yield* checkKnownMembers(source, "sentiment", "field", fields, ["judge"])
    const name = fields["judge"]
    if (name === undefined) return null
    const fitting = platformIds.filter((id) => platforms[id] !== undefined && "model" in platforms[id])
    const id = fitting.find((known) => known === name)
    if (id !== undefined) return id
    const meant = typeof name === "string" ? didYouMean(name, fitting) : null
    return yield* failConfig(
      source,
      `sentiment.judge must be a configured platform that reads what it is given (${
        typeof name === "string" ? `found ${JSON.stringify(name.slice(0, 40))}` : describeFound(name)
      }); allowed: ${fitting.length === 0 ? "none yet" : fitting.join(", ")}`,
      meant === null ? "Bind the platform under platforms, or remove sentiment.judge." : `Did you mean "${meant}"?`
    )
  })

/**
 * Decodes the parsed `sov.config.json`; every message begins with `source`, the file's name. Fails with one ConfigError
 * for the first fault: an unknown field, platform or adapter, an option of another adapter, a value out of range, or
 * simulated platforms beside real ones.
 */
export const decodePlatformConfig = (json: unknown, source: string): Result.Result<PlatformConfig, ConfigError> =>
  Result.gen(function*() {
    const top = yield* decodeMembers(source, "the file", json)
    yield* checkKnownMembers(source, "the file", "field", top, ["platforms", "scan", "sentiment"])
    const scan = yield* decodeFields(
      source,
      "scan",
      Scan,
      yield* decodeMembers(source, "scan", top["scan"] ?? {}),
      describeAllowedValue
    )
    const given = yield* decodeMembers(source, "platforms", top["platforms"] ?? {})
    yield* checkKnownMembers(source, "platforms", "platform", given, platformIds)
    const platforms: Partial<Record<PlatformId, PlatformBinding>> = {}
    const warnings: Array<{ readonly platform: PlatformId; readonly message: string }> = []
    for (const id of platformIds) {
      if (!Object.hasOwn(given, id)) continue
      const { binding, warning } = yield* decodeBinding(source, `platforms.${id}`, given[id])
      platforms[id] = binding
      if (warning !== null) warnings.push({ platform: id, message: warning })
    }
    yield* checkLabels(source, platforms)
    const simulated = platformIds.filter((id) => platforms[id]?.adapter === "simulated")
    const real = platformIds.filter((id) => platforms[id] !== undefined && !simulated.includes(id))
    if (simulated.length > 0 && real.length > 0) {
      return yield* failConfig(
        source,
        `simulated platforms (${simulated.join(", ")}) cannot be mixed with real ones (${real.join(", ")})`,
        "Bind all platforms to \"simulated\" or none."
      )
    }
    const onSurface = (surface: "api" | "app") =>
      platformIds.filter((id) => platforms[id] !== undefined && surfaceOf(platforms[id].adapter) === surface)
    const [apis, apps] = [onSurface("api"), onSurface("app")]
    if (apis.length > 0 && apps.length > 0) {
      return yield* failConfig(
        source,
        `platforms of an app (${apps.join(", ")}) cannot be added to those of an API (${apis.join(", ")})`,
        "Keep a second configuration with its own data directory for the apps (docs/platforms.md)."
      )
    }
    const sentiment = { judge: yield* decodeJudge(source, platforms, top["sentiment"] ?? {}) }
    return { platforms, scan, sentiment, ...(warnings.length === 0 ? {} : { warnings }) }
  })

/** Parses the text of `sov.config.json` (a byte order mark is allowed) and decodes it. */
export const parsePlatformConfig = (text: string, source: string): Result.Result<PlatformConfig, ConfigError> => {
  const parsed = parseJson(text)
  if (Result.isSuccess(parsed)) return decodePlatformConfig(parsed.success, source)
  return failConfig(
    source,
    describeJsonFault(parsed.failure),
    "Check commas, quotes and braces; comments are not allowed."
  )
}
