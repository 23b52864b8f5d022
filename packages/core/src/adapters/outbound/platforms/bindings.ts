/**
 * The settings of one platform in `sov.config.json`, by adapter: schemas, defaults, and descriptions of the allowed
 * values.
 */
import { Duration, Effect, Schema, Struct } from "effect"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"

const intBetween = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const withDefault = <S extends Schema.Top>(schema: S, value: S["Encoded"]) =>
  schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value)))

const withinMinutes = (minutes: number, least: Duration.Duration) =>
  Schema.makeFilter((value: Duration.Duration) =>
    Duration.isGreaterThanOrEqualTo(value, least) && Duration.isLessThanOrEqualTo(value, Duration.minutes(minutes))
  )

const makeTextSchema = (most: number) =>
  Schema.String.check(Schema.makeFilter((value: string) => value.trim() !== "" && value.length <= most))
const Name = makeTextSchema(200)

const isPlainUrl = (value: string): boolean => {
  const url = URL.parse(value)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.username === "" &&
    url.password === "" && !value.includes("?") && !value.includes("#")
}
const makeBaseUrlSchema = (endpoint: RegExp) =>
  Schema.String.check(
    Schema.makeFilter((value: string) => isPlainUrl(value) && !endpoint.test(new URL(value).pathname))
  )
const ProxyUrl = Schema.String.check(
  Schema.makeFilter((value: string) => isPlainUrl(value) && new URL(value).pathname === "/")
)

/** A name that fits a table column: no line breaks, no control or direction characters. */
const Label = Schema.String.check(
  Schema.makeFilter((value: string) => value.trim() === value && /^[^\p{Cc}\p{Cf}\u2028\u2029]{1,40}$/u.test(value))
)

const Timeout = Schema.DurationFromString.check(withinMinutes(5, Duration.millis(1)))

/**
 * Options of every adapter. `timeout` is the total deadline of a call, including the body: models that search were
 * measured to take up to 45 seconds, and a call that times out is paid for.
 */
const sharedFields = {
  label: Schema.optionalKey(Label),
  concurrency: withDefault(intBetween(1, 256), 8),
  requestsPerMinute: Schema.optionalKey(intBetween(1, 100_000)),
  timeout: withDefault(Timeout, "180 seconds"),
  maxAnswerBytes: withDefault(intBetween(1, 67_108_864), 4_194_304)
}

const isDay = (text: string): boolean => {
  const at = new Date(`${text}T00:00:00Z`)
  return text.length === 10 && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
const dollars = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

const day = Schema.String.check(Schema.makeFilter(isDay))

/**
 * The price of answers in US dollars, from the provider's price list. `from` and `until` are the first and the last day
 * (UTC) on which the list is valid: the doctor warns outside them, and nothing is computed from them.
 */
export const PricesBinding = Schema.Struct({
  inputPerMillion: Schema.optionalKey(dollars),
  outputPerMillion: Schema.optionalKey(dollars),
  perRequest: Schema.optionalKey(dollars),
  perSearch: Schema.optionalKey(dollars),
  from: Schema.optionalKey(day),
  until: Schema.optionalKey(day)
})

/** Amazon's key ids, https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html. */
const awsKeyId = /^(?:A3T[A-Z0-9]|ABIA|ACCA|AGPA|AIDA|AIPA|AKIA|ANPA|ANVA|APKA|AROA|ASCA|ASIA)[A-Z0-9]{12,}$/
/** Whether this is a long mix of letters and digits, which no word is. */
const isRandom = (run: string): boolean => run.length >= 20 && (run.match(/[0-9]+/g)?.length ?? 0) >= 3

/**
 * Whether the name is in upper case and does not look like a credential: a key pasted here by mistake must not be
 * accepted as a name and printed.
 */
const isVariableName = (name: string): boolean =>
  /^[A-Z][A-Z0-9_]{0,63}$/.test(name) && !awsKeyId.test(name) && !name.split("_").some(isRandom)

/** Options of every HTTP adapter. The temperature is left to the provider. */
const remoteFields = {
  model: Name,
  apiKeyEnv: Schema.optionalKey(Schema.String.check(Schema.makeFilter(isVariableName))),
  systemPrompt: Schema.optionalKey(makeTextSchema(32_768)),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  proxy: Schema.optionalKey(ProxyUrl),
  prices: Schema.optionalKey(PricesBinding),
  monthlyBudgetUsd: Schema.optionalKey(dollars),
  ...sharedFields
}
const maxOutputTokens = intBetween(16, 1_000_000)
/** Maximum number of searches per answer; left out = the provider's own limit. */
const maxSearches = Schema.optionalKey(intBetween(1, 100))
const makeWebSearchField = (byDefault: boolean) => withDefault(Schema.Boolean, byDefault)

const placeFields = {
  country: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/))),
  region: Schema.optionalKey(Name),
  city: Schema.optionalKey(Name)
}
/** The location that the search assumes for the reader. */
const Place = Schema.Struct(placeFields)
const PlaceInZone = Schema.Struct({ ...placeFields, timezone: Schema.optionalKey(Name) })
const makeDegreesSchema = (most: number) => Schema.Finite.check(Schema.isBetween({ minimum: -most, maximum: most }))
const Coordinates = Schema.Struct({ latitude: makeDegreesSchema(90), longitude: makeDegreesSchema(180) })

const chatEndpoint = /\/chat\/completions\/*$/

/** OpenAI's Responses API. */
export const OpenAiResponsesBinding = Schema.Struct({
  adapter: Schema.Literal("openai-responses"),
  baseUrl: withDefault(makeBaseUrlSchema(/\/responses\/*$/), "https://api.openai.com/v1"),
  webSearch: makeWebSearchField(false),
  location: Schema.optionalKey(PlaceInZone),
  /** Whether to request the consulted sources; left out = true, so that the digest of older files stays the same. */
  includeSources: Schema.optionalKey(Schema.Boolean),
  maxSearches,
  /** OpenRouter's search engine; `auto` uses the model's own, or Exa if it has none. */
  searchEngine: Schema.optionalKey(
    Schema.Literals(["auto", "native", "exa", "parallel", "perplexity", "firecrawl"])
  ),
  /** Whether each reply reports its cost, as xAI and OpenRouter do; left out = false. */
  costReported: Schema.optionalKey(Schema.Boolean),
  /** The header that carries the key: Azure uses `api-key`; left out = `authorization`. */
  keyHeader: Schema.optionalKey(Schema.Literals(["authorization", "api-key"])),
  maxOutputTokens: Schema.optionalKey(maxOutputTokens),
  ...remoteFields
})
export type OpenAiResponsesBinding = typeof OpenAiResponsesBinding.Type

/** Anthropic's Messages API, which requires a limit on output tokens. */
export const AnthropicMessagesBinding = Schema.Struct({
  adapter: Schema.Literal("anthropic-messages"),
  baseUrl: withDefault(makeBaseUrlSchema(/\/messages\/*$/), "https://api.anthropic.com/v1"),
  webSearch: makeWebSearchField(false),
  location: Schema.optionalKey(PlaceInZone),
  maxOutputTokens: withDefault(maxOutputTokens, 16_384),
  maxSearches,
  ...remoteFields
})
export type AnthropicMessagesBinding = typeof AnthropicMessagesBinding.Type

/** Google's Gemini API. */
export const GeminiBinding = Schema.Struct({
  adapter: Schema.Literal("gemini"),
  baseUrl: withDefault(
    makeBaseUrlSchema(/\/models\/*$|:generateContent\/*$/),
    "https://generativelanguage.googleapis.com/v1beta"
  ),
  webSearch: makeWebSearchField(false),
  location: Schema.optionalKey(Coordinates),
  /** BCP 47: `de`, `pt-BR`, `zh-Hans`. */
  language: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/))),
  /**
   * Whether to resolve the redirects that the answer cites; left out = false, so that the digest of older files stays
   * the same.
   */
  resolveRedirects: Schema.optionalKey(Schema.Boolean),
  maxOutputTokens: Schema.optionalKey(maxOutputTokens),
  ...remoteFields
})
export type GeminiBinding = typeof GeminiBinding.Type

/** Perplexity's Agent API. A `model` without a slash is one of its presets. */
export const PerplexityBinding = Schema.Struct({
  adapter: Schema.Literal("perplexity"),
  baseUrl: withDefault(
    makeBaseUrlSchema(/\/(?:agent|responses|sonar|chat\/completions)\/*$/),
    "https://api.perplexity.ai/v1"
  ),
  webSearch: makeWebSearchField(true),
  /** Whether to require a search for each question; left out = true. False leaves the decision to the model. */
  forceSearch: Schema.optionalKey(Schema.Boolean),
  location: Schema.optionalKey(Place),
  language: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[a-z]{2}$/))),
  maxOutputTokens: Schema.optionalKey(maxOutputTokens),
  ...remoteFields
})
export type PerplexityBinding = typeof PerplexityBinding.Type

/** Mistral's Conversations API. */
export const MistralBinding = Schema.Struct({
  adapter: Schema.Literal("mistral"),
  baseUrl: withDefault(makeBaseUrlSchema(/\/(?:conversations|chat\/completions)\/*$/), "https://api.mistral.ai/v1"),
  webSearch: makeWebSearchField(false),
  maxOutputTokens: Schema.optionalKey(maxOutputTokens),
  ...remoteFields
})
export type MistralBinding = typeof MistralBinding.Type

/** Apps that DataForSEO scrapes; `model` names the app, and the key is `login:password`. */
export const DataForSeoBinding = Schema.Struct({
  adapter: Schema.Literal("dataforseo"),
  baseUrl: withDefault(makeBaseUrlSchema(/\/live\/[a-z]+\/*$/), "https://api.dataforseo.com/v3"),
  ...Struct.omit(remoteFields, ["systemPrompt"]),
  model: Schema.Literals(["google-ai-mode", "google-ai-overview", "chatgpt"]),
  /** The reader's location, as spelled in DataForSEO's list of locations. */
  location: withDefault(Name, "United States"),
  language: withDefault(Schema.String.check(Schema.isPattern(/^[a-z]{2}(-[A-Z]{2})?$/)), "en"),
  timeout: withDefault(Timeout, "90 seconds")
})
export type DataForSeoBinding = typeof DataForSeoBinding.Type

/** A platform with an OpenAI-compatible chat-completions API. */
export const OpenAiCompatibleBinding = Schema.Struct({
  adapter: Schema.Literal("openai-compatible"),
  baseUrl: makeBaseUrlSchema(chatEndpoint),
  costReported: Schema.optionalKey(Schema.Boolean),
  maxOutputTokens: Schema.optionalKey(maxOutputTokens),
  ...remoteFields
})
export type OpenAiCompatibleBinding = typeof OpenAiCompatibleBinding.Type

const latency = withDefault(Schema.DurationFromString.check(withinMinutes(5, Duration.zero)), "0 millis")

/**
 * A platform that invents answers about the names given here; `mentionRate` is the brand's mean probability of being
 * named (0–1).
 */
export const SimulatedBinding = Schema.Struct({
  adapter: Schema.Literal("simulated"),
  brand: Name,
  competitors: withDefault(Schema.Array(Name).check(Schema.isMaxLength(100)), []),
  seed: withDefault(intBetween(0, 2_147_483_647), 1),
  mentionRate: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
  latency,
  ...sharedFields
})
export type SimulatedBinding = typeof SimulatedBinding.Type

/** A platform that replays recorded answers; `file` is relative to the configuration's directory. */
export const RecordedBinding = Schema.Struct({
  adapter: Schema.Literal("recorded"),
  file: makeTextSchema(4096),
  latency,
  ...sharedFields
})
export type RecordedBinding = typeof RecordedBinding.Type

/** A platform that is reached over HTTP. */
export type RemoteBinding =
  | OpenAiResponsesBinding
  | AnthropicMessagesBinding
  | GeminiBinding
  | PerplexityBinding
  | MistralBinding
  | DataForSeoBinding
  | OpenAiCompatibleBinding
export type PlatformBinding = RemoteBinding | SimulatedBinding | RecordedBinding

/** The schema of each adapter, by its name in the file. */
export const bindings = {
  "openai-responses": OpenAiResponsesBinding,
  "anthropic-messages": AnthropicMessagesBinding,
  gemini: GeminiBinding,
  perplexity: PerplexityBinding,
  mistral: MistralBinding,
  dataforseo: DataForSeoBinding,
  "openai-compatible": OpenAiCompatibleBinding,
  simulated: SimulatedBinding,
  recorded: RecordedBinding
}
export type AdapterName = keyof typeof bindings

/** The schema of the nested object `location`, by adapter. */
export const locationSchemas = {
  "openai-responses": PlaceInZone,
  "anthropic-messages": PlaceInZone,
  gemini: Coordinates,
  perplexity: Place
}

/** Options that have no effect unless the adapter searches. */
export const searchOnlyOptions: Readonly<Partial<Record<AdapterName, ReadonlyArray<string>>>> = {
  "openai-responses": ["location", "includeSources", "maxSearches", "searchEngine"],
  "anthropic-messages": ["location", "maxSearches"],
  gemini: ["location", "language", "resolveRedirects"],
  perplexity: ["location", "forceSearch"]
}

/** The model name stored with answers if the provider names none. */
export const findBoundModel = (id: PlatformId, binding: PlatformBinding): string =>
  "model" in binding ? binding.model : binding.adapter === "simulated" ? `simulated-${id}` : binding.adapter

const endpointPaths: Readonly<Partial<Record<AdapterName, string>>> = {
  "openai-responses": "/responses",
  "anthropic-messages": "/messages",
  gemini: "/models",
  perplexity: "/agent",
  mistral: "/conversations",
  dataforseo: "/serp"
}

const usDollars = "a number of US dollars from 0 to 1000000"

const allowedValues: Readonly<Record<string, string>> = {
  label: "a name of 1 to 40 characters, such as \"ChatGPT\"",
  model: "a name of 1 to 200 characters",
  apiKeyEnv: "the name of an environment variable (A–Z, 0–9 and _), not the key itself",
  systemPrompt: "a text of 1 to 32768 characters",
  headers: "an object of header names and their texts",
  proxy: "an http or https URL such as \"http://proxy.example:3128\", without user, path, query or fragment",
  costReported: "true or false",
  prices: "an object such as { \"inputPerMillion\": 2.5, \"outputPerMillion\": 10 }",
  inputPerMillion: usDollars,
  outputPerMillion: usDollars,
  perRequest: usDollars,
  perSearch: usDollars,
  from: "a day such as \"2026-11-01\"",
  until: "a day such as \"2026-12-31\"",
  monthlyBudgetUsd: usDollars,
  webSearch: "true or false",
  includeSources: "true or false",
  forceSearch: "true or false",
  resolveRedirects: "true or false",
  maxOutputTokens: "an integer from 16 to 1000000",
  maxSearches: "an integer from 1 to 100",
  searchEngine: "auto, native, exa, parallel, perplexity or firecrawl",
  keyHeader: "authorization or api-key",
  language: "a language code such as \"de\"",
  country: "a two-letter country code such as \"DE\"",
  region: "a name of 1 to 200 characters",
  city: "a name of 1 to 200 characters",
  timezone: "a time zone such as \"Europe/Berlin\"",
  latitude: "a number from -90 to 90",
  longitude: "a number from -180 to 180",
  concurrency: "an integer from 1 to 256",
  requestsPerMinute: "an integer from 1 to 100000",
  timeout: "a duration such as \"60 seconds\", at most \"5 minutes\"",
  maxAnswerBytes: "an integer from 1 to 67108864",
  brand: "a name of 1 to 200 characters",
  competitors: "an array of at most 100 names of 1 to 200 characters",
  seed: "an integer from 0 to 2147483647",
  mentionRate: "a number from 0 to 1",
  file: "the path of a JSON lines file, relative to the configuration file",
  latency: "a duration such as \"200 millis\", at most \"5 minutes\"",
  samples: "an integer from 1 to 5"
}

/** Describes the allowed values of a field. */
export const describeAllowedValue = (field: string, adapter?: AdapterName): string => {
  if (field === "baseUrl") {
    const endpoint = (adapter === undefined ? undefined : endpointPaths[adapter]) ?? "/chat/completions"
    return `an http or https URL that ends before ${endpoint}, without user, query or fragment`
  }
  if (adapter === "dataforseo" && field === "model") return "google-ai-mode, google-ai-overview or chatgpt"
  if (adapter === "dataforseo" && field === "location") return "a place such as \"Berlin,Germany\""
  return allowedValues[field] ?? "another value"
}
