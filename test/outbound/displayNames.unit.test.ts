/** The displayed name of a platform to which the operator gave no label. */
import { decodePlatformConfig, mapDisplayNames } from "@sov/core/outbound"
import { Result } from "effect"
import { expect, it } from "vitest"

const namesOf = (platforms: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(mapDisplayNames(Result.getOrThrow(decodePlatformConfig({ platforms }, "test"))))

const key = { apiKeyEnv: "SOME_KEY" }

it("a platform is named after its provider and model, its host, or the operator's label", () => {
  expect(namesOf({
    assistant_a: { adapter: "openai-responses", model: "gpt-6.1-terra", ...key },
    assistant_b: { adapter: "gemini", model: "gemini-3.8-flash", label: "Gemini", ...key },
    assistant_c: { adapter: "openai-responses", model: "grok-4.7", baseUrl: "https://api.x.ai/v1", ...key },
    assistant_d: { adapter: "openai-compatible", model: "small", baseUrl: "http://127.0.0.1:8080/v1", ...key }
  })).toEqual({
    assistant_a: "OpenAI API, gpt-6.1-terra",
    assistant_b: "Gemini",
    assistant_c: "api.x.ai, grok-4.7",
    assistant_d: "127.0.0.1:8080, small"
  })
})

it("a simulated platform is named by its identifier", () => {
  expect(namesOf({ assistant_a: { adapter: "simulated", brand: "Acme" } })).toEqual({})
})
