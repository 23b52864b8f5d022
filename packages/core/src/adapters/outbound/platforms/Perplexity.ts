/**
 * The Perplexity Sonar API: `POST /chat/completions`, the chat-completions format with `citations`, `search_results`
 * and a price.
 *
 * Format: https://docs.perplexity.ai/api-reference/sonar-post; turning the search off
 * https://docs.perplexity.ai/guides/search-control-guide; `language_preference` and `user_location` as in the types of
 * the official SDK, @perplexity-ai/perplexity_ai 0.38 (all read 2026-10).
 */
import type { PerplexityBinding } from "./bindings.ts"
import { readChatCompletion } from "./chatCompletion.ts"
import { bearer, type WireFormat } from "./wireFormat.ts"

/** The request. These models search unless told not to. */
const sonarBody = (binding: PerplexityBinding, prompt: string) => ({
  model: binding.model,
  messages: [
    ...(binding.systemPrompt === undefined ? [] : [{ role: "system" as const, content: binding.systemPrompt }]),
    { role: "user" as const, content: prompt }
  ],
  ...(binding.maxOutputTokens === undefined ? {} : { max_tokens: binding.maxOutputTokens }),
  ...(binding.webSearch ? {} : { disable_search: true }),
  ...(binding.language === undefined ? {} : { language_preference: binding.language }),
  ...(binding.location === undefined ? {} : { web_search_options: { user_location: binding.location } })
})
/** What is sent. */
export type SonarRequest = ReturnType<typeof sonarBody>

export const perplexity = (binding: PerplexityBinding): WireFormat => ({
  path: "/chat/completions",
  headers: bearer,
  body: (prompt) => sonarBody(binding, prompt),
  read: readChatCompletion
})
