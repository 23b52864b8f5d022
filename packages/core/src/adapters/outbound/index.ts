/** Entry point of the outbound adapters: answer platforms, e-mail, webhooks and time stamps. */
export { readSmtpConfig, type SmtpConfig } from "./mail/smtpConfig.ts"
export { layerSmtpMailer, makeSmtpMailer } from "./mail/SmtpMailer.ts"
export type { MessagesRequest } from "./platforms/AnthropicMessages.ts"
export { findBoundModel, type PlatformBinding, SimulatedBinding } from "./platforms/bindings.ts"
export { ConfigError } from "./platforms/configFault.ts"
export { mapDisplayNames } from "./platforms/displayNames.ts"
export type { GenerateContentRequest } from "./platforms/Gemini.ts"
export { type HttpBinding, makeHttpPlatform } from "./platforms/httpPlatform.ts"
export type { ConversationRequest } from "./platforms/Mistral.ts"
export type { ChatRequest } from "./platforms/OpenAiCompatible.ts"
export type { ResponsesRequest, RouterRequest } from "./platforms/OpenAiResponses.ts"
export type { AgentRequest } from "./platforms/Perplexity.ts"
export { decodePlatformConfig, parsePlatformConfig, type PlatformConfig } from "./platforms/PlatformConfig.ts"
export {
  layerJudge,
  layerJudge as layerNameJudge,
  makePlatformJudge,
  makePlatformJudge as makePlatformNameJudge
} from "./platforms/platformJudge.ts"
export { digestBindings, layerPlatforms, makePlatforms, type PlatformsOptions } from "./platforms/Platforms.ts"
export { makeSimulated } from "./platforms/Simulated.ts"
export {
  mentionProbability,
  type SimulatedQuestion,
  type SimulatedText,
  simulateText
} from "./platforms/simulatedText.ts"
export { makeBearerHeader, type Verdict, type WireFormat } from "./platforms/wireFormat.ts"
export { layerTimeStamps } from "./timestamps/HttpTimeStamps.ts"
export { layerWebhookSender, parseEgressRules } from "./webhooks/HttpWebhookSender.ts"
