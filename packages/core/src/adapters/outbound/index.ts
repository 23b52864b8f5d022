/** Front door of the outbound room: how sov reaches answer platforms. */
export { makeOpenAiCompatible } from "./OpenAiCompatible.ts"
export {
  ConfigError,
  decodePlatformConfig,
  OpenAiCompatibleBinding,
  parsePlatformConfig,
  type PlatformBinding,
  type PlatformConfig,
  SimulatedBinding
} from "./PlatformConfig.ts"
export { layerJudge, makePlatformJudge } from "./platformJudge.ts"
export { layerPlatforms, makePlatforms, type PlatformsOptions } from "./Platforms.ts"
export { makeSimulated } from "./Simulated.ts"
export { mentionProbability, type SimulatedQuestion, type SimulatedText, simulateText } from "./simulatedText.ts"
