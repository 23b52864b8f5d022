/**
 * SentimentJudge is a language model that decides the stance of an answer toward the brand (LLM as a judge). By default
 * no judge is configured. If a call fails, the rules decide.
 */
import { Context, type Effect } from "effect"
import type { Usage } from "../domain/archive/Answer.ts"
import type { Sentiment } from "../domain/measuring/Measurement.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { PlatformError } from "./AnswerPlatform.ts"

/** The reply of a judge: `sentiment` is null if the reply has no usable word, `usage` is null if no call was made. */
export interface Judgement {
  readonly sentiment: Sentiment | null
  readonly usage: Usage | null
}

/** A configured judge. */
export interface Judge {
  /** The configured platform that the calls go to. Its limits also apply to these calls. */
  readonly platform: PlatformId
  /** The judge's name in measurements: platform and model. */
  readonly by: string
  /** Judges the stance of `answer` toward `brand`. Fails with the errors of the platform. */
  readonly judge: (
    question: { readonly brand: string; readonly answer: string }
  ) => Effect.Effect<Judgement, PlatformError>
}

/** The configured judge; null if only the rules decide. */
export const SentimentJudge = Context.Reference<Judge | null>("@sov/core/ports/SentimentJudge", {
  defaultValue: () => null
})
