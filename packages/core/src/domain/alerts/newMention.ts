/** Rule `new_mention`: an answer names the brand, and earlier answers did not (docs/alerts.md). */
import type { AnswerId, KeywordId } from "../ids.ts"
import type { Sentiment } from "../measuring/Measurement.ts"
import type { PlatformId } from "../platforms/Platform.ts"

/** How many earlier answers of a cell decide whether a mention is new. */
export const decidingAnswers = 5

/**
 * The novelty of a mention in its cell. `baseline`: there is no earlier answer · `known`: one of the last 5 earlier
 * answers names the brand · `new`: none of these does, but an older answer does · `first`: no earlier answer names it.
 * Earlier answers are those of the same model and search mode; if an answer of another model names the brand, `first`
 * becomes `new`.
 */
export type Novelty = "baseline" | "known" | "new" | "first"

/**
 * Classifies an answer that names the brand. `earlier` tells for each earlier answer of the cell, newest first, whether
 * it names the brand.
 */
export const classifyNovelty = (earlier: ReadonlyArray<boolean>): Novelty => {
  if (earlier.length === 0) return "baseline"
  if (earlier.slice(0, decidingAnswers).includes(true)) return "known"
  return earlier.includes(true) ? "new" : "first"
}

/** A cell (keyword on a platform) whose answer is a `new` or `first` mention of the brand. */
export interface NewMention {
  readonly answerId: AnswerId
  readonly platform: PlatformId
  readonly keywordId: KeywordId
  readonly mentionCount: number
  readonly mentionPosition: number | null
  readonly sentiment: Sentiment | null
  /** Whether no earlier answer of the cell ever named the brand. */
  readonly first: boolean
}
