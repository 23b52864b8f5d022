/** Uses a configured platform as the judge. */
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type AnswerPlatform, AnswerPlatforms } from "../../../ports/AnswerPlatform.ts"
import { ConfiguredJudge, type Judge } from "../../../ports/Judge.ts"
import type { PlatformConfig } from "./PlatformConfig.ts"

/** Creates a judge from a platform. Each call gets a new fence, so that no text can close it. */
export const makePlatformJudge = (platform: AnswerPlatform, random: SecureRandom.SecureRandom["Service"]): Judge => ({
  platform: platform.id,
  by: `${platform.id} ${platform.model}`,
  ask: Effect.fnUntraced(function*({ prompt, read }) {
    const { text, usage } = yield* platform.ask(prompt(`=== ${yield* random.uuidV4()} ===`)).pipe(
      Effect.tapError((error) => Effect.logDebug(`no verdict of ${platform.id}: ${error.message}`))
    )
    const verdict = read(text)
    if (verdict === null) yield* Effect.logDebug(`${platform.id} gave no verdict`)
    return { verdict, usage }
  })
})

/** The judge of the configuration; null if it names none. */
export const layerJudge = ({ sentiment: { judge } }: PlatformConfig) =>
  Layer.effect(
    ConfiguredJudge,
    Effect.gen(function*() {
      const platform = judge === null ? undefined : (yield* AnswerPlatforms).all.get(judge)
      return platform === undefined ? null : makePlatformJudge(platform, yield* SecureRandom.SecureRandom)
    })
  )
