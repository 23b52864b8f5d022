/**
 * PlatformConfig is what `sov.config.json` may say: which adapter answers for each of the five platforms, and how often
 * a scan asks. API keys are never in it, only the names of the environment variables that hold them.
 */
import { Duration, Effect, Result, Schema, SchemaIssue } from "effect"
import { type PlatformId, platformIds } from "../../domain/Platform.ts"
import { didYouMean } from "./didYouMean.ts"

/** A setting that cannot be used: one line that names the place and the fault, and one that says what to do. */
export class ConfigError extends Schema.TaggedError<ConfigError>()("ConfigError", {
  message: Schema.String,
  hint: Schema.String
}) {}

const intBetween = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.username === "" &&
    url.password === "" && !text.includes("?") && !text.includes("#") && !/\/chat\/completions\/*$/.test(url.pathname)
}
const withinMinutes = (minutes: number, least: Duration.Duration) =>
  Schema.makeFilter((value: Duration.Duration) =>
    Duration.isGreaterThanOrEqualTo(value, least) && Duration.isLessThanOrEqualTo(value, Duration.minutes(minutes))
  )

const Name = Schema.String.check(Schema.makeFilter((name: string) => name.trim() !== "" && name.length <= 200))

/** What every adapter takes. `timeout` is one total deadline of a call, body included. */
const shared = {
  concurrency: intBetween(1, 256).pipe(Schema.withDecodingDefaultKey(Effect.succeed(8))),
  requestsPerMinute: Schema.optionalKey(intBetween(1, 100_000)),
  timeout: Schema.DurationFromString.check(withinMinutes(5, Duration.millis(1))).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("60 seconds"))
  ),
  maxAnswerBytes: intBetween(1, 67_108_864).pipe(Schema.withDecodingDefaultKey(Effect.succeed(4_194_304)))
}

/** A platform reached over the OpenAI chat-completions format; `baseUrl` ends before `/chat/completions`. */
export const OpenAiCompatibleBinding = Schema.Struct({
  adapter: Schema.Literal("openai-compatible"),
  model: Name,
  baseUrl: Schema.String.check(Schema.makeFilter(isBaseUrl)),
  // Upper case only: a key pasted here by mistake must not be taken for a name and printed.
  apiKeyEnv: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[A-Z][A-Z0-9_]{0,63}$/))),
  ...shared
})
export type OpenAiCompatibleBinding = typeof OpenAiCompatibleBinding.Type

/** A platform whose answers are made up, about the names given here; `mentionRate` is the brand's mean (0–1). */
export const SimulatedBinding = Schema.Struct({
  adapter: Schema.Literal("simulated"),
  brand: Name,
  competitors: Schema.Array(Name).check(Schema.isMaxLength(100)).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed([]))
  ),
  seed: intBetween(0, 2_147_483_647).pipe(Schema.withDecodingDefaultKey(Effect.succeed(1))),
  mentionRate: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
  latency: Schema.DurationFromString.check(withinMinutes(5, Duration.zero)).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("0 millis"))
  ),
  ...shared
})
export type SimulatedBinding = typeof SimulatedBinding.Type

export type PlatformBinding = OpenAiCompatibleBinding | SimulatedBinding

/**
 * The decoded file: bindings by platform (a platform left out is skipped), the samples per cell, 1–5, and the platform
 * that judges the sentiment of answers (null: the rules alone).
 */
export interface PlatformConfig {
  readonly platforms: Readonly<Partial<Record<PlatformId, PlatformBinding>>>
  readonly scan: { readonly samples: number }
  readonly sentiment: { readonly judge: PlatformId | null }
}

const Scan = Schema.Struct({ samples: intBetween(1, 5).pipe(Schema.withDecodingDefaultKey(Effect.succeed(1))) })

const adapters = { "openai-compatible": OpenAiCompatibleBinding, simulated: SimulatedBinding }
type AdapterName = keyof typeof adapters
const adapterNames = Object.keys(adapters) as ReadonlyArray<AdapterName>

/** What a field may hold, in words. */
const allowed: Readonly<Record<string, string>> = {
  model: "a name of 1 to 200 characters",
  baseUrl: "an http or https URL that ends before /chat/completions, without user, query or fragment",
  apiKeyEnv: "the name of an environment variable (A–Z, 0–9 and _), not the key itself",
  concurrency: "an integer from 1 to 256",
  requestsPerMinute: "an integer from 1 to 100000",
  timeout: "a duration such as \"60 seconds\", at most \"5 minutes\"",
  maxAnswerBytes: "an integer from 1 to 67108864",
  brand: "a name of 1 to 200 characters",
  competitors: "an array of at most 100 names of 1 to 200 characters",
  seed: "an integer from 0 to 2147483647",
  mentionRate: "a number from 0 to 1",
  latency: "a duration such as \"200 millis\", at most \"5 minutes\"",
  samples: "an integer from 1 to 5"
}

const record = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))
const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

/** Strings are not shown: a key may have been pasted into any field. */
const found = (value: unknown): string => {
  if (value === null || typeof value === "number" || typeof value === "boolean") return `found ${value}`
  return `found ${Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`}`
}

const fault = (source: string, message: string, hint: string) =>
  Result.fail(new ConfigError({ message: `${source}: ${message}`, hint }))

const members = (source: string, path: string, value: unknown): Result.Result<Record<string, unknown>, ConfigError> => {
  const decoded = record(value)
  return decoded._tag === "Some"
    ? Result.succeed(decoded.value)
    : fault(source, `${path} must be an object (${found(value)})`, "The README shows an example of the file.")
}

const knownOnly = (source: string, path: string, kind: string, given: object, known: ReadonlyArray<string>) => {
  const unknown = Object.keys(given).find((key) => !known.includes(key))
  if (unknown === undefined) return Result.succeed(undefined)
  const meant = didYouMean(unknown, known)
  const shown = JSON.stringify(unknown.slice(0, 40))
  return fault(
    source,
    `${path} has the unknown ${kind} ${shown}; allowed: ${known.join(", ")}`,
    meant === null ? `Remove ${shown}.` : `Did you mean "${meant}"?`
  )
}

const decodeFields = <S extends Schema.Struct<Schema.Struct.Fields> & { readonly DecodingServices: never }>(
  source: string,
  path: string,
  schema: S,
  value: Record<string, unknown>
): Result.Result<S["Type"], ConfigError> => {
  const known = knownOnly(source, path, "field", value, Object.keys(schema.fields))
  if (Result.isFailure(known)) return Result.fail(known.failure)
  const decoded = Schema.decodeUnknownResult(schema)(value as unknown)
  if (Result.isSuccess(decoded)) return Result.succeed(decoded.success)
  const at = formatIssue(decoded.failure.issue).issues[0]?.path?.[0]
  const field = typeof at === "string" ? at : ""
  const missing = !Object.hasOwn(value, field)
  return fault(
    source,
    `${path}.${field} ${missing ? "is missing: it must be" : "must be"} ${allowed[field]}` +
      (missing ? "" : ` (${found(value[field])})`),
    `Set ${path}.${field} to ${allowed[field]}.`
  )
}

const decodeBinding = (source: string, path: string, value: unknown): Result.Result<PlatformBinding, ConfigError> =>
  Result.gen(function*() {
    const binding = yield* members(source, path, value)
    const name = binding["adapter"]
    const adapter = adapterNames.find((known) => known === name)
    if (adapter === undefined) {
      const given = typeof name === "string" ? JSON.stringify(name.slice(0, 40)) : found(name)
      const meant = typeof name === "string" ? didYouMean(name, adapterNames) : null
      return yield* fault(
        source,
        name === undefined
          ? `${path}.adapter is missing; allowed: ${adapterNames.join(", ")}`
          : `${path}.adapter is unknown: ${given}; allowed: ${adapterNames.join(", ")}`,
        meant === null ? `Set ${path}.adapter to one of the allowed values.` : `Did you mean "${meant}"?`
      )
    }
    return yield* decodeFields(source, path, adapters[adapter], binding)
  })

/** The judge has to be a bound platform that reads what it is given. */
const decodeJudge = (
  source: string,
  platforms: PlatformConfig["platforms"],
  given: unknown
): Result.Result<PlatformId | null, ConfigError> =>
  Result.gen(function*() {
    const fields = yield* members(source, "sentiment", given)
    yield* knownOnly(source, "sentiment", "field", fields, ["judge"])
    const name = fields["judge"]
    if (name === undefined) return null
    const fitting = platformIds.filter((id) => platforms[id] !== undefined && platforms[id].adapter !== "simulated")
    const id = fitting.find((known) => known === name)
    if (id !== undefined) return id
    const meant = typeof name === "string" ? didYouMean(name, fitting) : null
    return yield* fault(
      source,
      `sentiment.judge must be a configured platform that is not simulated (${
        typeof name === "string" ? `found ${JSON.stringify(name.slice(0, 40))}` : found(name)
      }); allowed: ${fitting.length === 0 ? "none yet" : fitting.join(", ")}`,
      meant === null ? "Bind the platform under platforms, or remove sentiment.judge." : `Did you mean "${meant}"?`
    )
  })

/**
 * Decodes the parsed `sov.config.json`; `source` (the file's name) begins every message. Fails with one ConfigError for
 * the first fault: an unknown field, platform or adapter, a value out of range, or simulated beside real platforms.
 */
export const decodePlatformConfig = (json: unknown, source: string): Result.Result<PlatformConfig, ConfigError> =>
  Result.gen(function*() {
    const top = yield* members(source, "the file", json)
    yield* knownOnly(source, "the file", "field", top, ["platforms", "scan", "sentiment"])
    const scan = yield* decodeFields(source, "scan", Scan, yield* members(source, "scan", top["scan"] ?? {}))
    const given = yield* members(source, "platforms", top["platforms"] ?? {})
    yield* knownOnly(source, "platforms", "platform", given, platformIds)
    const platforms: Partial<Record<PlatformId, PlatformBinding>> = {}
    for (const id of platformIds) {
      if (Object.hasOwn(given, id)) platforms[id] = yield* decodeBinding(source, `platforms.${id}`, given[id])
    }
    const simulated = platformIds.filter((id) => platforms[id]?.adapter === "simulated")
    const real = platformIds.filter((id) => platforms[id] !== undefined && !simulated.includes(id))
    if (simulated.length > 0 && real.length > 0) {
      return yield* fault(
        source,
        `simulated platforms (${simulated.join(", ")}) cannot be mixed with real ones (${real.join(", ")})`,
        "Bind all platforms to \"simulated\" or none."
      )
    }
    const sentiment = { judge: yield* decodeJudge(source, platforms, top["sentiment"] ?? {}) }
    return { platforms, scan, sentiment }
  })

/** Parses the text of `sov.config.json` (a byte order mark is allowed) and decodes it. */
export const parsePlatformConfig = (text: string, source: string): Result.Result<PlatformConfig, ConfigError> => {
  const plain = text.replace(/^\uFEFF/, "")
  try {
    return decodePlatformConfig(JSON.parse(plain), source)
  } catch (error) {
    // The engine's message quotes the text, which may hold a key: only the position is taken from it.
    const position = /at position (\d+)/.exec(String(error))?.[1]
    const lines = plain.slice(0, Number(position ?? plain.length)).split("\n")
    return fault(
      source,
      `not valid JSON at line ${lines.length}, column ${lines.at(-1)!.length + 1}`,
      "Check commas, quotes and braces; comments are not allowed."
    )
  }
}
