/**
 * Pairs of the type that sov uses for a body and the official type of the same body. `ours` is a type in sov's sources
 * or in the fixtures of its tests, `theirs` a type in the provider's SDK.
 */
export interface MemberPair {
  /** A name to show to people. */
  readonly name: string
  readonly package: string
  readonly ours: string
  readonly theirs: string
}

/** The imports that the types of the pairs need; `REPOSITORY` is replaced by the directory of the checkout. */
export const imports = `
import type Anthropic from "@anthropic-ai/sdk"
import type * as Google from "@google/genai"
import type * as Mistral from "@mistralai/mistralai/models/components"
import type * as OpenRouter from "@openrouter/sdk/models"
import type Perplexity from "@perplexity-ai/perplexity_ai"
import type OpenAI from "openai"
import type * as Sov from "REPOSITORY/packages/core/src/adapters/outbound/index.ts"
import type * as anthropic from "REPOSITORY/test/outbound/fixtures/anthropicMessages.ts"
import type * as gemini from "REPOSITORY/test/outbound/fixtures/gemini.ts"
import type * as mistral from "REPOSITORY/test/outbound/fixtures/mistral.ts"
import type * as openAi from "REPOSITORY/test/outbound/fixtures/openAiResponses.ts"
import type * as perplexity from "REPOSITORY/test/outbound/fixtures/perplexity.ts"
/** Mistral's types use the names of its SDK for members of responses, not the names on the wire. */
type Snake<S> = S extends \`\${infer C}\${infer R}\` ? \`\${C extends Lowercase<C> ? C : \`_\${Lowercase<C>}\`}\${Snake<R>}\` : S
type OnTheWire<T> = { [K in keyof T as Snake<K>]: T[K] }
type Chunk<T> = Extract<(typeof mistral.withCitations.outputs)[1]["content"][number], { readonly type: T }>
`

const [openai, anthropic, google, perplexity, mistral, openrouter] = [
  "openai",
  "@anthropic-ai/sdk",
  "@google/genai",
  "@perplexity-ai/perplexity_ai",
  "@mistralai/mistralai",
  "@openrouter/sdk"
]

const responsesTool = "NonNullable<Sov.ResponsesRequest[\"tools\"]>[number]"
const responsesText = "(typeof openAi.withCitations.output)[2][\"content\"][0]"
const messagesTool = "NonNullable<Sov.MessagesRequest[\"tools\"]>[number]"
const messagesContent = "(typeof anthropic.withCitations.content)"
const toolConfig = "NonNullable<Sov.GenerateContentRequest[\"toolConfig\"]>"
const grounding = "(typeof gemini.withCitations.candidates)[0][\"groundingMetadata\"]"

export const memberPairs: ReadonlyArray<MemberPair> = [
  {
    name: "Responses request",
    package: openai,
    ours: "Sov.ResponsesRequest",
    theirs: "OpenAI.Responses.ResponseCreateParamsNonStreaming"
  },
  {
    name: "Responses reply",
    package: openai,
    ours: "typeof openAi.withCitations",
    theirs: "OpenAI.Responses.Response"
  },
  {
    name: "web search of a Responses reply",
    package: openai,
    ours: "(typeof openAi.withCitations.output)[1][\"action\"]",
    theirs: "OpenAI.Responses.ResponseFunctionWebSearch.Search"
  },
  {
    name: "description of a model of OpenAI",
    package: openai,
    ours: "typeof openAi.describedModel",
    theirs: "OpenAI.Models.Model"
  },
  {
    name: "web search tool of a Responses request",
    package: openai,
    ours: responsesTool,
    theirs: "OpenAI.Responses.WebSearchTool"
  },
  {
    name: "place of a Responses request",
    package: openai,
    ours: `NonNullable<${responsesTool}["user_location"]>`,
    theirs: "NonNullable<OpenAI.Responses.WebSearchTool[\"user_location\"]>"
  },
  {
    name: "source of a web search of a Responses reply",
    package: openai,
    ours: "(typeof openAi.withCitations.output)[1][\"action\"][\"sources\"][number]",
    theirs: "OpenAI.Responses.ResponseFunctionWebSearch.Search.Source"
  },
  {
    name: "message of a Responses reply",
    package: openai,
    ours: "(typeof openAi.withCitations.output)[2]",
    theirs: "OpenAI.Responses.ResponseOutputMessage"
  },
  {
    name: "text of a Responses reply",
    package: openai,
    ours: responsesText,
    theirs: "OpenAI.Responses.ResponseOutputText"
  },
  {
    name: "citation of a Responses reply",
    package: openai,
    ours: `${responsesText}["annotations"][number]`,
    theirs: "OpenAI.Responses.ResponseOutputText.URLCitation"
  },
  {
    name: "usage of a Responses reply",
    package: openai,
    ours: "(typeof openAi.withCitations)[\"usage\"]",
    theirs: "OpenAI.Responses.ResponseUsage"
  },
  {
    name: "chat request",
    package: openai,
    ours: "Sov.ChatRequest",
    theirs: "OpenAI.ChatCompletionCreateParamsNonStreaming"
  },
  {
    name: "Messages request",
    package: anthropic,
    ours: "Sov.MessagesRequest",
    theirs: "Anthropic.MessageCreateParamsNonStreaming"
  },
  { name: "Messages reply", package: anthropic, ours: "typeof anthropic.withCitations", theirs: "Anthropic.Message" },
  {
    name: "usage of a Messages reply",
    package: anthropic,
    ours: "(typeof anthropic.withCitations)[\"usage\"]",
    theirs: "Anthropic.Usage"
  },
  {
    name: "web search tool of a Messages request",
    package: anthropic,
    ours: messagesTool,
    theirs: "Anthropic.WebSearchTool20250305"
  },
  {
    name: "place of a Messages request",
    package: anthropic,
    ours: `NonNullable<${messagesTool}["user_location"]>`,
    theirs: "Anthropic.UserLocation"
  },
  {
    name: "searches in the usage of a Messages reply",
    package: anthropic,
    ours: "(typeof anthropic.withCitations)[\"usage\"][\"server_tool_use\"]",
    theirs: "Anthropic.ServerToolUsage"
  },
  {
    name: "search of a Messages reply",
    package: anthropic,
    ours: `${messagesContent}[0]`,
    theirs: "Anthropic.ServerToolUseBlock"
  },
  {
    name: "search results of a Messages reply",
    package: anthropic,
    ours: `${messagesContent}[1]`,
    theirs: "Anthropic.WebSearchToolResultBlock"
  },
  {
    name: "page of the search results of a Messages reply",
    package: anthropic,
    ours: `${messagesContent}[1]["content"][number]`,
    theirs: "Anthropic.WebSearchResultBlock"
  },
  {
    name: "text of a Messages reply",
    package: anthropic,
    ours: `${messagesContent}[3]`,
    theirs: "Anthropic.TextBlock"
  },
  {
    name: "citation of a Messages reply",
    package: anthropic,
    ours: `${messagesContent}[3]["citations"][number]`,
    theirs: "Anthropic.CitationsWebSearchResultLocation"
  },
  {
    name: "description of a model of Anthropic",
    package: anthropic,
    ours: "typeof anthropic.describedModel",
    theirs: "Anthropic.ModelInfo"
  },
  {
    name: "tool of generateContent",
    package: google,
    ours: "NonNullable<Sov.GenerateContentRequest[\"tools\"]>[number]",
    theirs: "Google.Tool"
  },
  {
    name: "configuration of generateContent",
    package: google,
    ours: "NonNullable<Sov.GenerateContentRequest[\"generationConfig\"]>",
    theirs: "Google.GenerationConfig"
  },
  {
    name: "generateContent reply",
    package: google,
    ours: "typeof gemini.withCitations | typeof gemini.ending",
    theirs: "Google.GenerateContentResponse"
  },
  {
    name: "model status of a Gemini reply",
    package: google,
    ours: "(typeof gemini.ending)[\"modelStatus\"]",
    theirs: "Google.ModelStatus"
  },
  { name: "grounding of a Gemini reply", package: google, ours: grounding, theirs: "Google.GroundingMetadata" },
  {
    name: "source of a Gemini reply",
    package: google,
    ours: `${grounding}["groundingChunks"][number]`,
    theirs: "Google.GroundingChunk"
  },
  {
    name: "tool configuration of generateContent",
    package: google,
    ours: toolConfig,
    theirs: "Google.ToolConfig"
  },
  {
    name: "place of generateContent",
    package: google,
    ours: `NonNullable<${toolConfig}["retrievalConfig"]>`,
    theirs: "Google.RetrievalConfig"
  },
  {
    name: "usage of a Gemini reply",
    package: google,
    ours: "(typeof gemini.withCitations)[\"usageMetadata\"]",
    theirs: "Google.GenerateContentResponseUsageMetadata"
  },
  {
    name: "candidate of a Gemini reply",
    package: google,
    ours: "(typeof gemini.withCitations.candidates)[0]",
    theirs: "Google.Candidate"
  },
  {
    name: "part of a Gemini reply",
    package: google,
    ours: "(typeof gemini.severalParts.candidates)[0][\"content\"][\"parts\"][number]",
    theirs: "Google.Part"
  },
  {
    name: "page of a Gemini reply",
    package: google,
    ours: `${grounding}["groundingChunks"][number]["web"]`,
    theirs: "Google.GroundingChunkWeb"
  },
  {
    name: "support of a Gemini reply",
    package: google,
    ours: `${grounding}["groundingSupports"][number]`,
    theirs: "Google.GroundingSupport"
  },
  {
    name: "segment of a Gemini reply",
    package: google,
    ours: `${grounding}["groundingSupports"][number]["segment"]`,
    theirs: "Google.Segment"
  },
  {
    name: "block of a Gemini prompt",
    package: google,
    ours: "(typeof gemini.refusal)[\"promptFeedback\"]",
    theirs: "Google.GenerateContentResponsePromptFeedback"
  },
  {
    name: "Agent request",
    package: perplexity,
    // `tool_choice` is in Perplexity's migration guide, but not in its types
    ours: "Omit<Sov.AgentRequest, \"tool_choice\">",
    theirs: "Perplexity.ResponseCreateParamsNonStreaming"
  },
  {
    name: "Agent reply",
    package: perplexity,
    ours: "typeof perplexity.withCitations",
    theirs: "Perplexity.ResponseCreateResponse"
  },
  {
    name: "usage of an Agent reply",
    package: perplexity,
    ours: "typeof perplexity.withCitations.usage",
    theirs: "Perplexity.ResponsesUsage"
  },
  {
    name: "Conversations request",
    package: mistral,
    ours: "Sov.ConversationRequest",
    theirs: "Mistral.ConversationRequest$Outbound"
  },
  {
    name: "Conversations reply",
    package: mistral,
    ours: "typeof mistral.withCitations",
    theirs: "OnTheWire<Mistral.ConversationResponse>"
  },
  {
    name: "usage of a Conversations reply",
    package: mistral,
    ours: "(typeof mistral.withCitations)[\"usage\"]",
    theirs: "OnTheWire<Mistral.ConversationUsageInfo>"
  },
  {
    name: "search of a Conversations reply",
    package: mistral,
    ours: "(typeof mistral.withCitations.outputs)[0]",
    theirs: "Mistral.ToolExecutionEntry$Outbound"
  },
  {
    name: "message of a Conversations reply",
    package: mistral,
    ours: "(typeof mistral.withCitations.outputs)[1]",
    theirs: "Mistral.MessageOutputEntry$Outbound"
  },
  {
    name: "reference of a Conversations reply",
    package: mistral,
    ours: "Chunk<\"tool_reference\">",
    theirs: "Mistral.ToolReferenceChunk$Outbound"
  },
  {
    name: "search tool of OpenRouter",
    package: openrouter,
    ours: "Sov.RouterRequest[\"tools\"][number][\"parameters\"]",
    theirs: "NonNullable<OpenRouter.WebSearchServerToolOpenRouter$Outbound[\"parameters\"]>"
  }
]
