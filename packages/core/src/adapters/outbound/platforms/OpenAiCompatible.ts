/**
 * The OpenAI chat-completions format, which most providers and local model servers speak.
 *
 * Format: https://platform.openai.com/docs/api-reference/chat/create. What xAI, Mistral, DeepSeek, OpenRouter, Ollama
 * and vLLM do differently is in chatCompletion.ts.
 */
import type { OpenAiCompatibleBinding } from "./bindings.ts"
import { readChatCompletion } from "./chatCompletion.ts"
import { bearer, type WireFormat } from "./wireFormat.ts"

/** The request. `max_tokens` is the name that every one of them knows. */
const chatBody = (binding: OpenAiCompatibleBinding, prompt: string) => ({
  model: binding.model,
  messages: [
    ...(binding.systemPrompt === undefined ? [] : [{ role: "system" as const, content: binding.systemPrompt }]),
    { role: "user" as const, content: prompt }
  ],
  ...(binding.maxOutputTokens === undefined ? {} : { max_tokens: binding.maxOutputTokens })
})
/** What is sent. */
export type ChatRequest = ReturnType<typeof chatBody>

export const openAiCompatible = (binding: OpenAiCompatibleBinding): WireFormat => ({
  path: "/chat/completions",
  headers: bearer,
  body: (prompt) => chatBody(binding, prompt),
  read: readChatCompletion
})
