/**
 * SentimentJudge is an opinion beside the rules: somebody who reads an answer and says its stance toward the brand.
 * Nobody judges by default; whoever is asked may fail, and the rules' word stands then.
 */
import { Context, type Effect } from "effect"
import type { Usage } from "../domain/archive/Answer.ts"
import type { Sentiment } from "../domain/measuring/Measurement.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { PlatformError } from "./AnswerPlatform.ts"

/** What came of asking for a stance: null when no usable word came. `usage` is what it took, null = nobody was asked. */
export interface Judgement {
  readonly sentiment: Sentiment | null
  readonly usage: Usage | null
}

/** Somebody to ask. */
export interface Judge {
  /** The platform that is asked, one of those configured: its limits hold for these calls too. */
  readonly platform: PlatformId
  /** Who judges, as measurements name it: platform and model. */
  readonly by: string
  /** The stance of `answer` toward `brand`. Fails as the platform does. */
  readonly judge: (
    question: { readonly brand: string; readonly answer: string }
  ) => Effect.Effect<Judgement, PlatformError>
}

/** The judge that is configured, null when the rules decide alone. */
export const SentimentJudge = Context.Reference<Judge | null>("@sov/core/ports/SentimentJudge", {
  defaultValue: () => null
})
