/**
 * The OpenAI chat-completions format, which most providers and local model servers speak.
 *
 * Format: https://platform.openai.com/docs/api-reference/chat/create. What xAI, Mistral, DeepSeek, OpenRouter, Ollama
 * and vLLM do differently is in chatCompletion.ts.
 */
import type { OpenAiCompatibleBinding } from "./bindings.ts"
import { readChatCompletion } from "./chatCompletion.ts"
import { makeBearerHeader, type WireFormat } from "./wireFormat.ts"

/** The request. `max_tokens` is the name that every one of them knows. */
const makeChatBody = (binding: OpenAiCompatibleBinding, prompt: string) => ({
  model: binding.model,
  messages: [
    ...(binding.systemPrompt === undefined ? [] : [{ role: "system" as const, content: binding.systemPrompt }]),
    { role: "user" as const, content: prompt }
  ],
  ...(binding.maxOutputTokens === undefined ? {} : { max_tokens: binding.maxOutputTokens })
})
/** What is sent. */
export type ChatRequest = ReturnType<typeof makeChatBody>

export const makeOpenAiCompatible = (binding: OpenAiCompatibleBinding): WireFormat => ({
  path: "/chat/completions",
  headers: makeBearerHeader,
  body: (prompt) => makeChatBody(binding, prompt),
  read: readChatCompletion
})
