/**
 * The types of the official SDKs accept the bodies that sov sends, and describe the bodies that its tests read. Checked
 * by `tsc`; nothing runs.
 */
import type Anthropic from "@anthropic-ai/sdk"
import type * as Google from "@google/genai"
import type * as Mistral from "@mistralai/mistralai/models/components"
import type { WebSearchServerToolOpenRouter$Outbound } from "@openrouter/sdk/models"
import type Perplexity from "@perplexity-ai/perplexity_ai"
import type {
  AgentRequest,
  ChatRequest,
  ConversationRequest,
  GenerateContentRequest,
  MessagesRequest,
  ResponsesRequest,
  RouterRequest
} from "@sov/core/outbound"
import type OpenAI from "openai"
import type * as anthropic from "./fixtures/anthropicMessages.ts"
import type * as gemini from "./fixtures/gemini.ts"
import type * as mistral from "./fixtures/mistral.ts"
import type * as openAi from "./fixtures/openAiResponses.ts"
import type * as perplexity from "./fixtures/perplexity.ts"

/** The same type without readonly, as the SDKs declare it. */
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T

/** Compiles only if the first type is assignable to the second. */
type Fits<T extends U, U> = [T, U]
type Body<T> = Writable<T>

type KeysOf<T> = T extends unknown ? keyof T : never
/** Compiles only if all names are members of U, because assignability allows additional members. */
type Known<Names extends KeysOf<U>, U> = [Names, U]
type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never
type WebSearchTool = Extract<
  NonNullable<Perplexity.ResponseCreateParams["tools"]>[number],
  { readonly type: "web_search" }
>

// The bodies that sov sends.
export type Sent = [
  Fits<Body<ResponsesRequest>, OpenAI.Responses.ResponseCreateParamsNonStreaming>,
  Fits<Body<ChatRequest>, OpenAI.ChatCompletionCreateParamsNonStreaming>,
  Fits<Body<ConversationRequest>, Mistral.ConversationRequest$Outbound>,
  Known<KeysOf<ConversationRequest>, Mistral.ConversationRequest$Outbound>,
  Fits<Body<RouterRequest>["tools"], Array<WebSearchServerToolOpenRouter$Outbound>>,
  Known<
    KeysOf<RouterRequest["tools"][number]["parameters"]>,
    NonNullable<WebSearchServerToolOpenRouter$Outbound["parameters"]>
  >,
  // `tool_choice` is in Perplexity's migration guide, but not in its types.
  Fits<Without<Body<AgentRequest>, "tool_choice">, Perplexity.ResponseCreateParamsNonStreaming>,
  Known<KeysOf<Without<AgentRequest, "tool_choice">>, Perplexity.ResponseCreateParamsNonStreaming>,
  Known<KeysOf<NonNullable<AgentRequest["tools"]>[number]>, WebSearchTool>,
  Known<KeysOf<ResponsesRequest>, OpenAI.Responses.ResponseCreateParamsNonStreaming>,
  Known<KeysOf<MessagesRequest>, Anthropic.MessageCreateParamsNonStreaming>,
  Known<KeysOf<NonNullable<GenerateContentRequest["tools"]>[number]>, Google.Tool>,
  Known<KeysOf<NonNullable<GenerateContentRequest["toolConfig"]>>, Google.ToolConfig>,
  Known<
    KeysOf<NonNullable<GenerateContentRequest["toolConfig"]>["retrievalConfig"]>,
    NonNullable<Google.ToolConfig["retrievalConfig"]>
  >,
  Known<KeysOf<ChatRequest>, OpenAI.ChatCompletionCreateParamsNonStreaming>,
  Known<KeysOf<NonNullable<GenerateContentRequest["generationConfig"]>>, Google.GenerationConfig>,
  // A paused turn is sent back as it was received; until then its content is opaque.
  Fits<
    Omit<Body<MessagesRequest>, "messages"> & { messages: Array<Anthropic.MessageParam> },
    Anthropic.MessageCreateParamsNonStreaming
  >,
  Fits<
    Array<Exclude<Body<MessagesRequest>["messages"][number], { role: "assistant" }>>,
    Array<Anthropic.MessageParam>
  >,
  Fits<Anthropic.Message["content"], Array<Anthropic.ContentBlockParam>>,
  Fits<Body<GenerateContentRequest>["contents"], Array<Google.Content>>,
  Fits<NonNullable<Body<GenerateContentRequest>["systemInstruction"]>, Google.Content>,
  Fits<NonNullable<Body<GenerateContentRequest>["tools"]>, Array<Google.Tool>>,
  Fits<NonNullable<Body<GenerateContentRequest>["toolConfig"]>, Google.ToolConfig>,
  Fits<NonNullable<Body<GenerateContentRequest>["generationConfig"]>, Google.GenerationConfig>
]

// The bodies that sov reads: the fixtures of the contract tests.
type Reply<T> = Writable<T>
type Message<K extends keyof typeof anthropic> = Reply<(typeof anthropic)[K]>
type Response<K extends keyof typeof openAi> = Reply<(typeof openAi)[K]>
/** The SDK adds `output_text`. */
type Agent = Omit<Perplexity.ResponseCreateResponse, "output_text">
/** A recorded status that no type contains. */
type Incomplete = Omit<Agent, "status"> & { status: "incomplete"; incomplete_details: { reason: string } }

/**
 * The SDK's class has accessors in addition to the fields on the wire; its finish reasons are enums of the same words.
 */
type Wire<T> = T extends string ? `${T}` : T extends object ? { [K in keyof T]: Wire<T[K]> } : T
type GenerateContent = Wire<
  Pick<
    Google.GenerateContentResponse,
    "candidates" | "modelVersion" | "promptFeedback" | "responseId" | "usageMetadata"
  >
>

type AgentItem<T extends string> = Extract<Perplexity.OutputItem, { readonly type: T }>
/** The wire format of entries, which the SDK calls outbound; replies have the same format. */
type MistralOutputs = Array<Mistral.MessageOutputEntry$Outbound | Mistral.ToolExecutionEntry$Outbound>
type Searched = (typeof perplexity.withCitations.output)[0]
type OpenAiSearch = (typeof openAi.withCitations.output)[1]["action"]
type Grounding = (typeof gemini.withCitations.candidates)[0]["groundingMetadata"]

export type Read = [
  // Checks names of optional members, because a fixture with a misspelled name is still assignable.
  Known<KeysOf<Searched>, AgentItem<"search_results">>,
  Known<KeysOf<Searched["results"][number]>, Perplexity.SearchResult>,
  Known<KeysOf<typeof perplexity.withCitations.usage>, Perplexity.ResponsesUsage>,
  Known<KeysOf<OpenAiSearch>, OpenAI.Responses.ResponseFunctionWebSearch.Search>,
  Known<KeysOf<Grounding>, Google.GroundingMetadata>,
  Known<KeysOf<Grounding["groundingChunks"][number]>, Google.GroundingChunk>,
  Known<KeysOf<Grounding["groundingSupports"][number]>, Google.GroundingSupport>,
  Fits<Reply<ReturnType<typeof openAi.answer>>, OpenAI.Responses.Response>,
  Fits<Response<"withCitations">, OpenAI.Responses.Response>,
  Fits<Response<"severalParts">, OpenAI.Responses.Response>,
  Fits<Response<"refusal">, OpenAI.Responses.Response>,
  Fits<Response<"safety">, OpenAI.Responses.Response>,
  Fits<Response<"length">, OpenAI.Responses.Response>,
  Fits<Response<"onlyReasoning">, OpenAI.Responses.Response>,
  Fits<Response<"failed">, OpenAI.Responses.Response>,
  Fits<Reply<ReturnType<typeof openAi.blocked>>, OpenAI.Responses.Response>,
  Fits<Response<"wrongRegion">, OpenAI.Responses.Response>,
  Fits<Reply<ReturnType<typeof anthropic.limited>>, Anthropic.ErrorResponse>,
  Fits<Message<"onHold">, Anthropic.ErrorResponse>,
  Fits<Reply<ReturnType<typeof anthropic.answer>>, Anthropic.Message>,
  Fits<Message<"withCitations">, Anthropic.Message>,
  Fits<Message<"severalParts">, Anthropic.Message>,
  Fits<Message<"refusal">, Anthropic.Message>,
  Fits<Message<"safety">, Anthropic.Message>,
  Fits<Message<"length">, Anthropic.Message>,
  Fits<Message<"onlyReasoning">, Anthropic.Message>,
  Fits<Message<"paused">, Anthropic.Message>,
  Fits<Message<"resumed">, Anthropic.Message>,
  Fits<Reply<ReturnType<typeof perplexity.answer>>, Agent>,
  Fits<Reply<typeof perplexity.withCitations>, Agent>,
  Fits<Reply<typeof perplexity.severalParts>, Agent>,
  Fits<Reply<typeof perplexity.failed>, Agent>,
  Fits<Reply<typeof perplexity.length>, Incomplete>,
  Fits<Reply<typeof perplexity.onlyReasoning>, Incomplete>,
  Fits<Reply<typeof perplexity.safety>, Incomplete>,
  Fits<Reply<ReturnType<typeof mistral.answer>["outputs"]>, MistralOutputs>,
  Fits<Reply<typeof mistral.withCitations.outputs>, MistralOutputs>,
  Fits<Reply<typeof mistral.severalParts.outputs>, MistralOutputs>,
  Fits<Reply<typeof mistral.onlyReasoning.outputs>, MistralOutputs>,
  Fits<Reply<ReturnType<typeof gemini.answer>>, GenerateContent>,
  Fits<Reply<typeof gemini.withCitations>, GenerateContent>,
  Fits<Reply<typeof gemini.severalParts>, GenerateContent>,
  Fits<Reply<typeof gemini.refusal>, GenerateContent>,
  Fits<Reply<typeof gemini.safety>, GenerateContent>,
  Fits<Reply<typeof gemini.recitation>, GenerateContent>,
  Fits<Reply<typeof gemini.length>, GenerateContent>,
  Fits<Reply<typeof gemini.continuation>, GenerateContent>,
  Fits<Reply<typeof gemini.onlyReasoning>, GenerateContent>
]
