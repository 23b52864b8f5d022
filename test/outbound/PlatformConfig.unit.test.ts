import { AnswerPlatforms } from "@sov/core"
import { decodePlatformConfig, layerPlatforms, makePlatforms, parsePlatformConfig } from "@sov/core/outbound"
import { Duration, Effect, Exit, Layer, Result } from "effect"
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"

const file = "sov.config.json"
const real = { adapter: "openai-compatible", model: "m", baseUrl: "https://api.example.com/v1" }
const made = { adapter: "simulated", brand: "Acme" }

const config = (json: unknown) => Result.getOrThrow(decodePlatformConfig(json, file))
const faultOf = (json: unknown) => {
  const error = Result.getOrThrow(Result.flip(decodePlatformConfig(json, file)))
  expect(error.message).toMatch(/^sov\.config\.json: [^\n]+$/)
  expect(error.hint).toMatch(/^[^\n]+$/)
  return `${error.message} | ${error.hint}`
}
const bound = (fields: object) => ({ platforms: { assistant_a: { ...real, ...fields } } })

describe("decodePlatformConfig", () => {
  it("a minimal configuration gets all defaults", () => {
    const { platforms, scan } = config({ platforms: { assistant_e: real } })
    expect(scan).toEqual({ samples: 1 })
    expect(Object.keys(platforms)).toEqual(["assistant_e"])
    expect(platforms.assistant_e).toMatchObject({ concurrency: 8, maxAnswerBytes: 4 * 1024 * 1024 })
    expect(Duration.toSeconds(platforms.assistant_e!.timeout)).toBe(180)
    expect(config({})).toEqual({ platforms: {}, scan: { samples: 1 }, sentiment: { judge: null } })
  })

  it("a configuration with every field is accepted", () => {
    const fields = {
      apiKeyEnv: "KEY_1",
      concurrency: 256,
      requestsPerMinute: 60,
      timeout: "5 minutes",
      maxAnswerBytes: 9,
      prices: { inputPerMillion: 2.5, outputPerMillion: 10, perRequest: 0, perSearch: 0.01, from: "2026-11-01" },
      monthlyBudgetUsd: 20,
      costReported: true
    }
    const { platforms, scan, sentiment } = config({
      ...bound(fields),
      scan: { samples: 5 },
      sentiment: { judge: "assistant_a" }
    })
    expect(sentiment.judge).toBe("assistant_a")
    expect(platforms.assistant_a).toMatchObject({ ...real, ...fields, timeout: Duration.minutes(5) })
    expect(scan.samples).toBe(5)
  })

  it.each([
    [{ platform: {} }, /unknown field "platform"; allowed: platforms, scan, sentiment \| Did you mean "platforms"\?/],
    [{ platforms: { assistantA: real } }, /unknown platform "assistantA"; allowed: assistant_a, .* "assistant_a"\?/],
    [{ platforms: { assistant_a: [] } }, /platforms\.assistant_a must be an object \(found an array\)/],
    [{ platforms: 3 }, /platforms must be an object \(found 3\)/],
    [null, /the file must be an object \(found null\)/],
    [{ scan: { samples: 6 } }, /scan\.samples must be an integer from 1 to 5 \(found 6\)/],
    [{ scan: { sample: 2 } }, /unknown field "sample"; allowed: samples \| Did you mean "samples"\?/],
    [{ sentiment: { jugde: "assistant_a" } }, /unknown field "jugde"; allowed: judge \| Did you mean "judge"\?/],
    [{ sentiment: "assistant_a" }, /sentiment must be an object/],
    [
      { ...bound({}), sentiment: { judge: "assistantA" } },
      /judge must be .*"assistantA".* \| Did you mean "assistant_a"/
    ],
    [{ ...bound({}), sentiment: { judge: "assistant_b" } }, /sentiment\.judge must be a configured.* assistant_a \|/],
    [{ sentiment: { judge: 3 } }, /\(found 3\); allowed: none yet \| Bind the platform under platforms/],
    [
      { platforms: { assistant_a: made }, sentiment: { judge: "assistant_a" } },
      /sentiment\.judge must be a configured platform that reads what it is given/
    ],
    [{ platforms: { assistant_a: {} } }, /assistant_a\.adapter is missing; allowed: openai-responses, .*simulated/],
    [
      bound({ adapter: "claude" }),
      /adapter is unknown: "claude"; allowed: openai-responses, anthropic-messages, gemini/
    ],
    [bound({ adapter: "openai-response" }), /Did you mean "openai-responses"\?/],
    [bound({ adapter: "openai_compatible" }), /Did you mean "openai-compatible"\?/],
    [bound({ adapter: "toString" }), /adapter is unknown: "toString"/],
    [bound({ concurency: 3 }), /unknown field "concurency"; allowed: .*timeout.* \| Did you mean "concurrency"\?/],
    [bound({ zzz: 3 }), /unknown field "zzz".* \| Remove "zzz"\./],
    [JSON.parse("{\"__proto__\":{\"platforms\":{}}}"), /unknown field "__proto__"/],
    [
      { platforms: { assistant_a: { adapter: "simulated", brand: "A", model: "m" } } },
      /\.model is no option of simulated; adapters .*: openai-responses/
    ],
    [
      { platforms: { assistant_a: { ...made, competitors: ["B", ""] } } },
      /competitors must be an array .*found an array/
    ],
    [{ platforms: { assistant_a: { ...made, mentionRate: 1.5 } } }, /mentionRate must be a number from 0 to 1/],
    [{ platforms: { assistant_a: { adapter: "simulated" } } }, /assistant_a\.brand is missing: it must be a name/],
    [
      { platforms: { assistant_a: { ...real, label: "GPT" }, assistant_b: { ...real, label: "gpt" } } },
      /assistant_b\.label "gpt" is taken by assistant_a/
    ],
    [bound({ label: "Assistant_B" }), /assistant_a\.label "Assistant_B" is taken by assistant_b/],
    [bound({ model: "" }), /assistant_a\.model must be a name of 1 to 200 characters \(found a string\)/],
    [bound({ model: undefined }), /assistant_a\.model must be/],
    [bound({ concurrency: 0 }), /assistant_a\.concurrency must be an integer from 1 to 256 \(found 0\)/],
    [bound({ concurrency: 257 }), /found 257/],
    [bound({ concurrency: "8" }), /concurrency must be .*found a string/],
    [bound({ requestsPerMinute: 1.5 }), /requestsPerMinute must be an integer from 1 to 100000/],
    [bound({ timeout: 60 }), /timeout must be a duration such as "60 seconds", at most "5 minutes" \(found 60\)/],
    [bound({ timeout: "60" }), /timeout must be a duration/],
    [bound({ timeout: "0 seconds" }), /timeout must be a duration/],
    [bound({ timeout: "-1 seconds" }), /timeout must be a duration/],
    [bound({ timeout: "Infinity" }), /timeout must be a duration/],
    [
      bound({ prices: { inputPerMilion: 1 } }),
      /prices has the unknown field "inputPerMilion"; allowed: inputPerMillion, .* \| Did you mean "inputPerMillion"/
    ],
    [bound({ prices: { perSearch: "0.01" } }), /prices\.perSearch must be a number of US dollars .*found a string/],
    [bound({ prices: { perRequest: -1 } }), /prices\.perRequest must be .* from 0 to 1000000 \(found -1\)/],
    [bound({ prices: {} }), /prices names no price; allowed: inputPerMillion, .*perSearch \| Add one/],
    [bound({ prices: { until: "2026-12-31" } }), /prices names no price; allowed: inputPerMillion, .*perSearch \|/],
    [bound({ prices: { perRequest: 1, until: "2026-02-30" } }), /until must be a day such as "2026-12-31"/],
    [bound({ prices: { perRequest: 1, from: "1.11.2026" } }), /from must be a day such as "2026-11-01"/],
    [bound({ prices: 3 }), /assistant_a\.prices must be an object \(found 3\)/],
    [bound({ monthlyBudgetUsd: "20" }), /monthlyBudgetUsd must be a number of US dollars/],
    [bound({ monthlyBudget: 20 }), /Did you mean "monthlyBudgetUsd"\?/],
    [
      { platforms: { assistant_a: { adapter: "gemini", model: "m", monthlyBudgetUsd: 20 } } },
      /monthlyBudgetUsd needs platforms\.assistant_a\.prices: gemini does not say what an answer costs/
    ],
    [
      bound({ monthlyBudgetUsd: 20 }),
      /needs platforms\.assistant_a\.prices: not every provider behind openai-compatible says .* or .*\.costReported to true/
    ],
    [
      { platforms: { assistant_a: { adapter: "openai-responses", model: "m", monthlyBudgetUsd: 20 } } },
      /prices: not every provider behind openai-responses says what an answer costs/
    ],
    [bound({ monthlyBudgetUsd: 20, costReported: false }), /monthlyBudgetUsd needs platforms\.assistant_a\.prices/],
    [
      { platforms: { assistant_a: { adapter: "gemini", model: "m", costReported: true } } },
      /costReported is no option of gemini; adapters that have it: openai-responses, openai-compatible/
    ],
    [{ platforms: { assistant_a: { ...made, prices: { perRequest: 1 } } } }, /prices is no option of simulated/],
    [bound({ maxAnswerBytes: 0 }), /maxAnswerBytes must be an integer/],
    [bound({ baseUrl: "ftp://example.com/v1" }), /baseUrl must be an http or https URL that ends before/],
    [bound({ baseUrl: "https://user@example.com/v1" }), /baseUrl must be .* without user/],
    [bound({ baseUrl: "https://example.com/v1#x" }), /baseUrl must be/],
    [bound({ baseUrl: "api.example.com/v1" }), /baseUrl must be/],
    [bound({ baseUrl: "https://example.com/v1/chat/completions" }), /baseUrl must be/],
    [bound({ baseUrl: "https://example.com/v1?x=1" }), /baseUrl must be/],
    [
      { platforms: { assistant_a: real, assistant_c: made } },
      /simulated platforms \(assistant_c\) cannot be mixed with real ones \(assistant_a\)/
    ]
  ])("the configuration %j is refused", (json, message) => {
    expect(faultOf(json)).toMatch(message)
  })

  it("a budget is accepted if the cost of answers is known", () => {
    const { platforms } = config({
      platforms: {
        assistant_a: { ...real, monthlyBudgetUsd: 20, costReported: true },
        assistant_b: { adapter: "perplexity", model: "sonar", monthlyBudgetUsd: 20 }
      }
    })
    expect(platforms).toMatchObject({ assistant_a: { monthlyBudgetUsd: 20 }, assistant_b: { monthlyBudgetUsd: 20 } })
  })

  it.each(["", " x", "a\nb", "a\u202Eb", "x".repeat(41), 7])("the label %j is refused", (label) => {
    expect(faultOf(bound({ label }))).toMatch(
      /assistant_a\.label must be a name of 1 to 40 characters, such as "ChatGPT"/
    )
  })

  it("every platform of any adapter can have a label, and platforms are built with it", () => {
    const platforms = {
      assistant_a: { ...real, label: "ChatGPT" },
      assistant_b: { ...real, label: "assistant_b" },
      assistant_c: { ...real, label: "Le Chat 🐈 é" }
    }
    const { all } = Result.getOrThrow(makePlatforms(config({ platforms }), {}))
    expect([...all.values()].map(({ label }) => label)).toEqual(["ChatGPT", "assistant_b", "Le Chat 🐈 é"])
    const simulated = config({ platforms: { assistant_a: { ...made, label: "Made up" } } })
    expect(Result.getOrThrow(makePlatforms(simulated, {})).all.get("assistant_a")?.label).toBe("Made up")
  })

  it("a credential is refused as the name of a variable, but a long name is accepted", () => {
    for (
      const key of [
        "AKIAIOSFODNN7EXAMPLE",
        "ASIAQWERTYUIOPASDFGH",
        "F14E45FCEEA167A5A36DEDD4BEA2543",
        "X_9AB8CD7EF6GH5IJ4KL3MN"
      ]
    ) {
      expect(faultOf(bound({ apiKeyEnv: key }))).toMatch(/must be the name of an environment variable .*found a string/)
      expect(faultOf(bound({ apiKeyEnv: key }))).not.toContain(key)
    }
    for (const apiKeyEnv of ["ANTHROPICAPIKEYPRODUCTION", "OPENAI_API_KEY_2", "AKIA", "TEAM7_OPENROUTER_KEY_2026_10"]) {
      expect(config(bound({ apiKeyEnv })).platforms.assistant_a).toMatchObject({ apiKeyEnv })
    }
  })

  it("a key that was pasted into the file is never shown", () => {
    for (const key of ["sk-canary0123456789", "gsk_canary0123456789", "canary"]) {
      for (const fields of [{ apiKeyEnv: key }, { baseUrl: `https://u:${key}@example.com/v1` }, { timeout: key }]) {
        expect(faultOf(bound(fields))).not.toContain("canary")
      }
      expect(faultOf(bound({ apiKey: key }))).toMatch(/Did you mean "apiKeyEnv"\?/)
      expect(faultOf(bound({ apiKey: key }))).not.toContain("canary")
    }
  })
})

describe("parsePlatformConfig", () => {
  it("a file with a byte order mark can be read", () => {
    expect(Result.isSuccess(parsePlatformConfig(`\uFEFF${JSON.stringify(bound({}))}`, file))).toBe(true)
  })

  it("the message for a syntax error says where it is, and quotes nothing", () => {
    const error = Result.getOrThrow(Result.flip(parsePlatformConfig("{\n  \"apiKey\": \"sk-canary\",\n  oops }", file)))
    expect(error.message).toBe("sov.config.json: not valid JSON at line 3, column 3")
    expect(Result.getOrThrow(Result.flip(parsePlatformConfig("", file))).message).toMatch(/not valid JSON at line 1/)
  })
})

describe("makePlatforms", () => {
  const env = { KEY_1: "canary-key" }

  it("platforms are built in the order of their ids", () => {
    const { all } = Result.getOrThrow(
      makePlatforms(config({ platforms: { assistant_d: real, assistant_b: real } }), {})
    )
    expect([...all.keys()]).toEqual(["assistant_b", "assistant_d"])
    expect(all.get("assistant_b")).toMatchObject({ id: "assistant_b", adapter: "openai-compatible", simulated: false })
    expect(all.get("assistant_b")?.requestsPerMinute).toBe(null)
  })

  it.each([
    [{}, /assistant_a\.apiKeyEnv names KEY_1, but that environment variable is not set/],
    [{ KEY_1: "" }, /names KEY_1, but/],
    [{ KEY_1: "canary\n" }, /KEY_1 \(platforms\.assistant_a\.apiKeyEnv\) is no API key/],
    [{ KEY_1: "canaré" }, /KEY_1 .* is no API key/]
  ])("the environment %j is refused", (given, message) => {
    const error = Result.getOrThrow(Result.flip(makePlatforms(config(bound({ apiKeyEnv: "KEY_1" })), given)))
    expect(error.message).toMatch(message)
    expect(inspect(error)).not.toContain("canar")
  })

  it("no key is visible in a built platform", () => {
    const platforms = Result.getOrThrow(makePlatforms(config(bound({ apiKeyEnv: "KEY_1" })), env))
    expect(inspect(platforms, { depth: 9 }) + JSON.stringify([...platforms.all])).not.toContain("canary")
  })

  it("the digest covers every field of the bindings and the judge, but neither their order nor keys", () => {
    const digest = (json: unknown, given: object = env) =>
      Result.getOrThrow(makePlatforms(config(json), { ...given })).digest
    const base = digest(bound({ apiKeyEnv: "KEY_1" }))
    expect(base).toMatch(/^[0-9a-f]{64}$/)
    expect(digest(bound({ apiKeyEnv: "KEY_1" }), { KEY_1: "another" })).toBe(base)
    const { adapter, baseUrl, model } = real
    expect(digest({ platforms: { assistant_a: { concurrency: 8, baseUrl, apiKeyEnv: "KEY_1", model, adapter } } }))
      .toBe(base)
    expect(digest({ ...bound({ apiKeyEnv: "KEY_1", timeout: "3 minutes" }), scan: { samples: 3 } })).toBe(base)
    expect(digest(bound({ apiKeyEnv: "KEY_1", label: "ChatGPT" }))).toBe(base)
    const { platforms, scan, sentiment } = config(bound({ apiKeyEnv: "KEY_1" }))
    const turned = Object.fromEntries(Object.entries(platforms.assistant_a!).reverse()) as typeof platforms.assistant_a
    expect(Result.getOrThrow(makePlatforms({ platforms: { assistant_a: turned! }, scan, sentiment }, env)).digest).toBe(
      base
    )
    const others = [
      bound({}),
      bound({ apiKeyEnv: "KEY_1", model: "n" }),
      bound({ apiKeyEnv: "KEY_1", timeout: "59 seconds" }),
      bound({ apiKeyEnv: "KEY_1", requestsPerMinute: 5 }),
      { platforms: { assistant_b: { ...real, apiKeyEnv: "KEY_1" } } },
      { ...bound({ apiKeyEnv: "KEY_1" }), sentiment: { judge: "assistant_a" } },
      {}
    ].map((json) => digest(json))
    expect(new Set([base, ...others]).size).toBe(8)
  })

  it("the layer provides the port, or fails with the error of the configuration", async () => {
    const built = (given: object) =>
      Effect.runPromiseExit(
        Effect.scoped(Layer.build(layerPlatforms(config(bound({ apiKeyEnv: "KEY_1" })), { ...given })))
          .pipe(Effect.map((context) => context.mapUnsafe.has(AnswerPlatforms.key)))
      )
    expect(await built(env)).toEqual(Exit.succeed(true))
    expect(String(await built({}))).toContain("KEY_1")
  })
})
