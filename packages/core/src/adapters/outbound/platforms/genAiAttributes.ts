/**
 * Span attributes of a call, following OpenTelemetry's conventions for generative AI (1.45): the provider, the model,
 * and the usage. Never the question, the answer or a key.
 */
import type { Answer } from "../../../domain/archive/Answer.ts"

/** Provider names of the conventions where they differ from the adapter's name. */
const providers: { readonly [adapter: string]: string } = {
  "openai-responses": "openai",
  "anthropic-messages": "anthropic",
  gemini: "gcp.gemini",
  mistral: "mistral_ai"
}

export const requestAttributes = (
  { adapter, baseUrl, model }: { readonly adapter: string; readonly baseUrl: string; readonly model: string }
) => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": providers[adapter] ?? adapter,
  "gen_ai.request.model": model,
  "server.address": new URL(baseUrl).hostname
})

export const answerAttributes = (
  { finish, model, usage: { inputTokens, outputTokens } }: Pick<Answer, "finish" | "model" | "usage">
) => ({
  "gen_ai.response.model": model,
  "gen_ai.response.finish_reasons": [finish],
  ...inputTokens === null ? {} : { "gen_ai.usage.input_tokens": inputTokens },
  ...outputTokens === null ? {} : { "gen_ai.usage.output_tokens": outputTokens }
})
