/**
 * SentimentJudge is an opinion beside the rules: somebody who reads an answer and says its stance toward the brand.
 * Nobody judges by default; whoever is asked may fail, and the rules' word stands then.
 */
import { Context, type Effect } from "effect"
import type { Sentiment } from "../domain/Measurement.ts"
import type { PlatformId } from "../domain/Platform.ts"

/** Somebody to ask. */
export interface Judge {
  /** The platform that is asked, one of those configured: its limits hold for these calls too. */
  readonly platform: PlatformId
  /** Who judges, as measurements name it: platform and model. */
  readonly by: string
  /** The stance of `answer` toward `brand`; null when no usable word came, whatever the reason. Never fails. */
  readonly judge: (question: { readonly brand: string; readonly answer: string }) => Effect.Effect<Sentiment | null>
}

/** The judge that is configured, null when the rules decide alone. */
export const SentimentJudge = Context.Reference<Judge | null>("@sov/core/ports/SentimentJudge", {
  defaultValue: () => null
})
