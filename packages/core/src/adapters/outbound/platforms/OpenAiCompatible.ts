/**
 * The OpenAI chat-completions format, which most providers and local model servers use.
 *
 * Format: https://platform.openai.com/docs/api-reference/chat/create. For the differences of xAI, Mistral, DeepSeek,
 * OpenRouter, Ollama and vLLM see chatCompletion.ts.
 */
import type { OpenAiCompatibleBinding } from "./bindings.ts"
import { readChatCompletion } from "./chatCompletion.ts"
import { makeBearerHeader, type WireFormat } from "./wireFormat.ts"

/** Builds the request body. All these providers accept the name `max_tokens`. */
const makeChatBody = (binding: OpenAiCompatibleBinding, prompt: string) => ({
  model: binding.model,
  messages: [
    ...(binding.systemPrompt === undefined ? [] : [{ role: "system" as const, content: binding.systemPrompt }]),
    { role: "user" as const, content: prompt }
  ],
  ...(binding.maxOutputTokens === undefined ? {} : { max_tokens: binding.maxOutputTokens })
})
/** The request body. */
export type ChatRequest = ReturnType<typeof makeChatBody>

export const makeOpenAiCompatible = (binding: OpenAiCompatibleBinding): WireFormat => ({
  path: "/chat/completions",
  headers: makeBearerHeader,
  body: (prompt) => makeChatBody(binding, prompt),
  read: readChatCompletion
})
