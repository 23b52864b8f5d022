import { decodePlatformConfig, makePlatforms } from "@sov/core/outbound"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { canProxy } from "../../packages/core/src/adapters/outbound/platforms/postJson.ts"

const file = "sov.config.json"
const bound = (binding: object) => ({ platforms: { assistant_a: { model: "m", ...binding } } })
const decoded = (binding: object) => Result.getOrThrow(decodePlatformConfig(bound(binding), file)).platforms.assistant_a
const faultOf = (binding: object) => {
  const error = Result.getOrThrow(Result.flip(decodePlatformConfig(bound(binding), file)))
  expect(error.message).toMatch(/^sov\.config\.json: platforms\.assistant_a[^\n]+$/)
  expect(error.hint).toMatch(/^[^\n]+$/)
  return `${error.message} | ${error.hint}`
}
const openAi = (fields: object) => ({ adapter: "openai-responses", ...fields })
const compatible = (fields: object) => ({ adapter: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1", ...fields })

describe("options by adapter", () => {
  it.each([
    ["openai-responses", { baseUrl: "https://api.openai.com/v1", webSearch: false }],
    ["anthropic-messages", { baseUrl: "https://api.anthropic.com/v1", webSearch: false, maxOutputTokens: 16_384 }],
    ["gemini", { baseUrl: "https://generativelanguage.googleapis.com/v1beta", webSearch: false }],
    ["perplexity", { baseUrl: "https://api.perplexity.ai/v1", webSearch: true }]
  ])("the adapter %s has a default address", (adapter, defaults) => {
    expect(decoded({ adapter })).toMatchObject({ ...defaults, concurrency: 8, maxAnswerBytes: 4_194_304 })
    expect(decoded({ adapter, baseUrl: "http://127.0.0.1:9/x/" })).toMatchObject({ baseUrl: "http://127.0.0.1:9/x/" })
  })

  it("all documented options are accepted", () => {
    const place = { country: "DE", region: "Berlin", city: "Berlin" }
    const common = {
      systemPrompt: "Be brief.",
      maxOutputTokens: 16,
      headers: { "X-Title": "sov", "X-Author": "sov", "anthropic-beta": "some-2026-01-01" },
      proxy: "http://127.0.0.1:3128",
      webSearch: true
    }
    for (
      const fields of [
        {
          adapter: "openai-responses",
          ...common,
          location: { ...place, timezone: "Europe/Berlin" },
          includeSources: false
        },
        { adapter: "anthropic-messages", ...common, location: { city: "Berlin" } },
        { adapter: "gemini", ...common, location: { latitude: -90, longitude: 13.4 }, language: "de-AT" },
        { adapter: "perplexity", ...common, location: place, language: "de", forceSearch: false }
      ]
    ) {
      expect(decoded(fields)).toMatchObject(fields)
    }
  })

  it.each([
    [
      compatible({ webSearch: true }),
      /webSearch is no option of openai-compatible; adapters that have it: openai-responses, anthropic-messages, gemini, perplexity, mistral \| Remove/
    ],
    [
      openAi({ language: "de" }),
      /language is no option of openai-responses; adapters that have it: gemini, perplexity/
    ],
    [openAi({ seed: 1 }), /seed is no option of openai-responses; adapters that have it: simulated/],
    [openAi({ temperature: 0 }), /has the unknown field "temperature"; allowed: .*maxOutputTokens/],
    [openAi({ websearch: true }), /unknown field "websearch".*Did you mean "webSearch"\?/],
    [openAi({ webSearch: "yes" }), /webSearch must be true or false \(found a string\)/],
    [
      openAi({ location: { city: "Berlin" } }),
      /location has no effect without the web search \| Set .*webSearch to true/
    ],
    [{ adapter: "gemini", language: "de" }, /language has no effect without the web search/],
    [
      { adapter: "perplexity", model: "perplexity/sonar", webSearch: false, location: { city: "Berlin" } },
      /location has no effect/
    ],
    [
      { adapter: "perplexity", model: "perplexity/sonar", webSearch: false, forceSearch: true },
      /forceSearch has no effect without the web search/
    ],
    [openAi({ includeSources: false }), /includeSources has no effect without the web search/],
    [openAi({ webSearch: true, includeSources: "no" }), /includeSources must be true or false \(found a string\)/],
    [
      { adapter: "gemini", includeSources: false },
      /includeSources is no option of gemini; adapters that have it: openai-responses/
    ],
    [
      { adapter: "perplexity", model: "low", webSearch: false },
      /webSearch cannot be false for a preset of Perplexity.* \| Set .*model to a model such as "perplexity\/sonar"/
    ],
    [
      { adapter: "perplexity", baseUrl: "https://api.perplexity.ai/v1/agent" },
      /baseUrl must be .* ends before \/agent/
    ],
    [{ adapter: "perplexity", baseUrl: "https://api.perplexity.ai/chat/completions" }, /ends before \/agent/],
    [openAi({ webSearch: true, location: "Berlin" }), /location must be an object \(found a string\)/],
    [
      openAi({ webSearch: true, location: { country: "Germany" } }),
      /location\.country must be a two-letter country code such as "DE" \(found a string\)/
    ],
    [
      openAi({ webSearch: true, location: { town: "Berlin" } }),
      /location has the unknown field "town"; allowed: country, region, city, timezone/
    ],
    [openAi({ webSearch: true, location: { latitude: 1 } }), /location has the unknown field "latitude"/],
    [
      { adapter: "gemini", webSearch: true, location: { latitude: 91, longitude: 0 } },
      /location\.latitude must be a number from -90 to 90 \(found 91\)/
    ],
    [
      { adapter: "gemini", webSearch: true, location: { latitude: 9 } },
      /location\.longitude is missing: it must be a number from -180 to 180/
    ],
    [{ adapter: "gemini", webSearch: true, language: "german" }, /language must be a language code such as "de"/],
    [openAi({ maxOutputTokens: 15 }), /maxOutputTokens must be an integer from 16 to 1000000 \(found 15\)/],
    [openAi({ systemPrompt: " " }), /systemPrompt must be a text of 1 to 32768 characters/],
    [
      openAi({ proxy: "socks5://127.0.0.1:1080" }),
      /proxy must be an http or https URL such as "http:\/\/proxy\.example:3128"/
    ],
    [openAi({ proxy: "http://user:pass@127.0.0.1:3128" }), /proxy must be .* without user/],
    [
      openAi({ baseUrl: "https://api.openai.com/v1/responses" }),
      /baseUrl must be an http or https URL that ends before \/responses/
    ],
    [{ adapter: "anthropic-messages", baseUrl: "https://x.example/v1/messages/" }, /ends before \/messages/],
    [{ adapter: "gemini", baseUrl: "https://x.example/v1beta/models" }, /ends before \/models/],
    [compatible({ baseUrl: undefined }), /baseUrl must be an http or https URL that ends before \/chat\/completions/]
  ])("the options %j are refused", (binding, message) => {
    expect(faultOf(binding)).toMatch(message)
  })

  it.each([
    [{ Authorization: "Bearer canary" }, /headers has the header "Authorization", which carries a credential/],
    [{ "x-api-key": "canary" }, /"x-api-key", which carries a credential; keys come from the environment only/],
    [{ "X-Goog-Api-Key": "canary" }, /carries a credential;.*\| Name the key's environment variable in apiKeyEnv/],
    [{ "Proxy-Authorization": "canary" }, /carries a credential/],
    [{ Cookie: "canary=1" }, /carries a credential/],
    [{ "X-Innocent": "Bearer canary-0123456789" }, /"X-Innocent", which carries a credential/],
    [{ "X-Innocent": "sk-canary0123456789" }, /carries a credential/],
    [{ "Ocp-Apim-Subscription-Key": "canary" }, /carries a credential/],
    [{ Host: "example.com" }, /"Host", which sov sets by itself/],
    [{ "content-length": "5" }, /sov sets by itself/],
    [{ "bad name": "x" }, /"bad name", which is no header name/],
    [{ "X-Two": "a\r\nX-Three: b" }, /must be a text of at most 1000 printable ASCII characters \(found a string\)/],
    [{ "X-Num": 5 }, /\(found 5\)/],
    ["X-Title: sov", /headers must be an object \(found a string\)/]
  ])("the headers %j are refused", (headers, message) => {
    for (const adapter of ["openai-responses", "anthropic-messages", "gemini", "perplexity"]) {
      const fault = faultOf({ adapter, headers })
      expect(fault).toMatch(message)
      expect(fault).not.toContain("canary")
    }
  })
})

describe("effects of the options", () => {
  const digest = (binding: object) =>
    Result.getOrThrow(makePlatforms(Result.getOrThrow(decodePlatformConfig(bound(binding), file)), {})).digest

  it("settings that change answers are in the digest, whatever the order of their fields", () => {
    const one = openAi({ webSearch: true, location: { city: "Berlin", country: "DE" }, headers: { A: "1", B: "2" } })
    const other = openAi({ headers: { B: "2", A: "1" }, location: { country: "DE", city: "Berlin" }, webSearch: true })
    expect(digest(one)).toBe(digest(other))
    expect(digest({ ...one, location: { city: "Bonn", country: "DE" } })).not.toBe(digest(one))
    expect(digest({ ...one, headers: { A: "1", B: "3" } })).not.toBe(digest(one))
  })

  it("a proxy for one platform requires a Node version that supports it", () => {
    expect(["24.5.0", "24.21.0", "25.0.0", "22.21.1"].map(canProxy)).toEqual([true, true, true, true])
    expect(["24.4.9", "23.11.0", "22.19.0", "20.19.2"].map(canProxy)).toEqual([false, false, false, false])
  })
})
