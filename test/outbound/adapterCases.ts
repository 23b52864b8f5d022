/** The adapters for tests: how each is bound, and what its server responds in each situation. */
import type { Usage } from "@sov/core"
import { decodePlatformConfig, makePlatforms } from "@sov/core/outbound"
import { Result } from "effect"
import type { Script } from "../support/FakePlatform.ts"
import { strictly } from "./agentApi.ts"
import * as anthropic from "./fixtures/anthropicMessages.ts"
import * as chat from "./fixtures/chatCompletions.ts"
import * as gemini from "./fixtures/gemini.ts"
import * as mistral from "./fixtures/mistral.ts"
import * as openAi from "./fixtures/openAiResponses.ts"
import * as perplexity from "./fixtures/perplexity.ts"

interface Expected {
  readonly text: string
  readonly citations: ReadonlyArray<{ readonly url: string; readonly title: string | null; readonly position: number }>
}

/** Bodies of one documented format, with the text that a reader sees in them. */
export interface AdapterCase {
  readonly adapter: string
  /** Path below the server's `/v1`. */
  readonly path: string
  /** Name of the header that carries the key, and the text before the key. */
  readonly key: readonly [string, string]
  /** Fields of the binding in addition to those that all adapters have. */
  readonly fields?: object
  /** The server's own checks, made before it plays a script. */
  readonly around?: (script: Script) => Script
  readonly answer: (text: string) => unknown
  readonly usage: Usage
  readonly withCitations: Expected & { readonly body: unknown }
  readonly severalParts: { readonly body: unknown; readonly text: string }
  /** Null text: the response has no text, so the call fails as `refused`. Omitted: the format has no refusal. */
  readonly refusal?: { readonly body: unknown; readonly text: string | null }
  /** A response without any text that a reader would see. */
  readonly heldBack?: unknown
  readonly safety?: { readonly body: unknown; readonly text: string | null; readonly finish: string }
  readonly length: { readonly body: unknown; readonly text: string }
  readonly onlyReasoning: unknown
  readonly error: (status: number, message: string) => unknown
}

const page = (url: string, title: string | null, position: number) => ({ url, title, position })

/** As many cases as an installation has platforms. */
export const adapterCases: ReadonlyArray<AdapterCase> = [
  {
    adapter: "openai-responses",
    path: "/responses",
    key: ["authorization", "Bearer "],
    answer: openAi.answer,
    usage: { inputTokens: 328, outputTokens: 356, costUsd: null, searches: 0 },
    withCitations: {
      body: openAi.withCitations,
      text: "Acme leads ([example.org](https://example.org/anvils?utm_source=openai)). Initech follows.",
      citations: [
        page("https://example.org/anvils?utm_source=openai", "Anvils compared", 1),
        page("https://example.net/initech", "Initech reviewed", 2)
      ]
    },
    severalParts: { body: openAi.severalParts, text: "First, Acme.\n\nSecond, Initech." },
    refusal: { body: openAi.refusal, text: "I can't help with that request." },
    heldBack: openAi.safety,
    safety: { body: openAi.safety, text: null, finish: "content_filter" },
    length: { body: openAi.length, text: "Acme is the" },
    onlyReasoning: openAi.onlyReasoning,
    error: openAi.error
  },
  {
    adapter: "anthropic-messages",
    path: "/messages",
    key: ["x-api-key", ""],
    answer: anthropic.answer,
    usage: { inputTokens: 6139, outputTokens: 931, costUsd: null, searches: 1 },
    withCitations: {
      body: anthropic.withCitations,
      text: "Based on the results, Acme leads and Initech follows.",
      citations: [
        page("https://example.org/anvils", "Anvils compared", 1),
        page("https://example.net/initech", null, 2)
      ]
    },
    severalParts: { body: anthropic.severalParts, text: "Let me look that up.\n\nAcme is the usual choice." },
    refusal: { body: anthropic.refusal, text: null },
    heldBack: anthropic.refusal,
    safety: { body: anthropic.safety, text: "An anvil can", finish: "refusal" },
    length: { body: anthropic.length, text: "Acme is the" },
    onlyReasoning: anthropic.onlyReasoning,
    error: anthropic.error
  },
  {
    adapter: "gemini",
    path: "/models/test-model:generateContent",
    key: ["x-goog-api-key", ""],
    answer: gemini.answer,
    usage: { inputTokens: 82, outputTokens: 96, costUsd: null, searches: 0 },
    withCitations: {
      body: gemini.withCitations,
      text: "Acme leads. Initech follows.",
      citations: [1, 3].map((n) =>
        page(
          `https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ${n}`,
          n === 1 ? "example.org" : "example.net",
          n
        )
      )
    },
    severalParts: { body: gemini.severalParts, text: "Acme is the usual choice." },
    refusal: { body: gemini.refusal, text: null },
    heldBack: gemini.refusal,
    safety: { body: gemini.safety, text: null, finish: "content_filter" },
    length: { body: gemini.length, text: "Acme is the" },
    onlyReasoning: gemini.onlyReasoning,
    error: gemini.error
  },
  {
    adapter: "perplexity",
    path: "/agent",
    key: ["authorization", "Bearer "],
    around: strictly,
    answer: perplexity.answer,
    usage: { inputTokens: 3_130, outputTokens: 251, costUsd: 0.00641 },
    withCitations: {
      body: perplexity.withCitations,
      text: "Acme leads.[1] Initech follows.[web:3]",
      citations: [
        page("https://example.org/anvils", "Anvils compared", 1),
        page("https://example.net/initech", "Initech reviewed", 3)
      ]
    },
    severalParts: { body: perplexity.severalParts, text: "Acme is the usual choice." },
    refusal: { body: perplexity.safety, text: null },
    heldBack: perplexity.safety,
    safety: { body: perplexity.safety, text: null, finish: "content_filter" },
    length: { body: perplexity.length, text: "Acme is the" },
    onlyReasoning: perplexity.onlyReasoning,
    error: perplexity.error
  },
  {
    adapter: "openai-compatible",
    path: "/chat/completions",
    key: ["authorization", "Bearer "],
    answer: chat.answer,
    usage: { inputTokens: 13, outputTokens: 34, costUsd: null },
    withCitations: {
      body: chat.xai,
      text: "Acme leads.",
      citations: [page("https://example.org/anvils", null, 1), page("https://example.net/initech", null, 2)]
    },
    severalParts: { body: chat.mistral, text: "Acme leads." },
    refusal: { body: chat.refusal, text: "I can't help with that request." },
    heldBack: chat.safety,
    safety: { body: chat.safety, text: null, finish: "content_filter" },
    length: { body: chat.length, text: "Acme is the" },
    onlyReasoning: chat.onlyReasoning,
    error: chat.error
  }
]

export const mistralCase: AdapterCase = {
  adapter: "mistral",
  path: "/conversations",
  key: ["authorization", "Bearer "],
  fields: { maxOutputTokens: 64 },
  answer: mistral.answer,
  usage: { inputTokens: 13, outputTokens: 34, costUsd: null, searches: 0 },
  withCitations: {
    body: mistral.withCitations,
    text: "Acme leads. Initech follows.",
    citations: [
      page("https://example.org/anvils", "Anvils compared", 1),
      page("https://example.net/initech", "Initech reviewed", 2)
    ]
  },
  severalParts: { body: mistral.severalParts, text: "Let me look that up.\n\nAcme is the usual choice." },
  length: { body: mistral.length, text: "Acme is the" },
  onlyReasoning: mistral.onlyReasoning,
  error: mistral.error
}

/** The platform for a binding of this adapter; `key` null = the binding has no key. */
export const platformFrom = (adapter: string, baseUrl: string, fields: object = {}, key: string | null = null) => {
  const binding = { adapter, model: "test-model", baseUrl, ...fields, ...(key === null ? {} : { apiKeyEnv: "KEY" }) }
  const config = Result.getOrThrow(decodePlatformConfig({ platforms: { assistant_a: binding } }, "sov.config.json"))
  return Result.getOrThrow(makePlatforms(config, { KEY: key ?? "" })).all.get("assistant_a")!
}
