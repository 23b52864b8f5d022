import { Effect } from "effect"
import { findMissingParts } from "../../domain/platforms/answerShape.ts"
import { deriveSources } from "../../domain/sources/deriveSources.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"

/**
 * Asks a platform one question and checks that the answer has the promised parts: text, finish reason, usage and, after
 * a search, sources. `missing` names the absent parts. If the answer does not state the end of its model, the
 * provider's description of the model is read. Archives and charges nothing.
 */
export const probePlatform = Effect.fn("probePlatform")(function*(platform: AnswerPlatform, prompt: string) {
  const answered = yield* platform.ask(prompt)
  const { adapter, findEnd = Effect.succeed(null) } = platform
  const endsOn = answered.endsOn ?? (yield* Effect.orElseSucceed(findEnd, () => null))
  const answer = endsOn === null ? answered : { ...answered, endsOn }
  const { sources } = deriveSources({ adapter, ...answer })
  return { answer, sources: sources.length, missing: findMissingParts(answer, platform) }
})
