/**
 * The official SDKs' published types accept the bodies that sov sends and describe the ones that its tests read.
 * Checked by `tsc`; nothing runs.
 */
import type Anthropic from "@anthropic-ai/sdk"
import type * as Google from "@google/genai"
import type {
  ChatRequest,
  GenerateContentRequest,
  MessagesRequest,
  ResponsesRequest,
  SonarRequest
} from "@sov/core/outbound"
import type OpenAI from "openai"
import type * as anthropic from "./fixtures/anthropicMessages.ts"
import type * as gemini from "./fixtures/gemini.ts"
import type * as openAi from "./fixtures/openAiResponses.ts"

/** The same value as the SDKs spell it: nothing readonly. */
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T

/** Compiles only where the first type fits the second. */
type Fits<T extends U, U> = [T, U]
type Body<T> = Writable<T>

// What is sent.
export type Sent = [
  Fits<Body<ResponsesRequest>, OpenAI.Responses.ResponseCreateParamsNonStreaming>,
  Fits<Body<ChatRequest>, OpenAI.ChatCompletionCreateParamsNonStreaming>,
  // The search fields of Perplexity are its own; what it shares with the format is checked.
  Fits<
    Pick<Body<SonarRequest>, "model" | "messages">,
    Pick<OpenAI.ChatCompletionCreateParamsNonStreaming, "model" | "messages">
  >,
  // A paused turn goes back as it came: its content is foreign until then.
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

// What is read: the fixtures that the contract tests play.
type Reply<T> = Writable<T>
type Message<K extends keyof typeof anthropic> = Reply<(typeof anthropic)[K]>
type Response<K extends keyof typeof openAi> = Reply<(typeof openAi)[K]>

/** The SDK's class carries accessors beside the wire's fields; its finish reasons are enums of the same words. */
type Wire<T> = T extends string ? `${T}` : T extends object ? { [K in keyof T]: Wire<T[K]> } : T
type GenerateContent = Wire<
  Pick<
    Google.GenerateContentResponse,
    "candidates" | "modelVersion" | "promptFeedback" | "responseId" | "usageMetadata"
  >
>

export type Read = [
  Fits<Reply<ReturnType<typeof openAi.answer>>, OpenAI.Responses.Response>,
  Fits<Response<"withCitations">, OpenAI.Responses.Response>,
  Fits<Response<"severalParts">, OpenAI.Responses.Response>,
  Fits<Response<"refusal">, OpenAI.Responses.Response>,
  Fits<Response<"safety">, OpenAI.Responses.Response>,
  Fits<Response<"length">, OpenAI.Responses.Response>,
  Fits<Response<"onlyReasoning">, OpenAI.Responses.Response>,
  Fits<Response<"failed">, OpenAI.Responses.Response>,
  Fits<Reply<ReturnType<typeof anthropic.answer>>, Anthropic.Message>,
  Fits<Message<"withCitations">, Anthropic.Message>,
  Fits<Message<"severalParts">, Anthropic.Message>,
  Fits<Message<"refusal">, Anthropic.Message>,
  Fits<Message<"safety">, Anthropic.Message>,
  Fits<Message<"length">, Anthropic.Message>,
  Fits<Message<"onlyReasoning">, Anthropic.Message>,
  Fits<Message<"paused">, Anthropic.Message>,
  Fits<Message<"resumed">, Anthropic.Message>,
  Fits<Reply<ReturnType<typeof gemini.answer>>, GenerateContent>,
  Fits<Reply<typeof gemini.withCitations>, GenerateContent>,
  Fits<Reply<typeof gemini.severalParts>, GenerateContent>,
  Fits<Reply<typeof gemini.refusal>, GenerateContent>,
  Fits<Reply<typeof gemini.safety>, GenerateContent>,
  Fits<Reply<typeof gemini.recitation>, GenerateContent>,
  Fits<Reply<typeof gemini.length>, GenerateContent>,
  Fits<Reply<typeof gemini.onlyReasoning>, GenerateContent>
]
