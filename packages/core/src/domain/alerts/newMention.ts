/** Rule `new_mention`: the brand is named where it was not (docs/alerts.md). */
import type { AnswerId, KeywordId } from "../ids.ts"
import type { Sentiment } from "../measuring/Measurement.ts"
import type { PlatformId } from "../platforms/Platform.ts"

/** The earlier answers of a cell that decide whether a mention is new. */
export const decidingAnswers = 5

/**
 * What a mention is to its cell: `baseline` there is no earlier answer to compare with · `known` one of the last 5
 * earlier answers names the brand · `new` none of them does, an older one does · `first` no earlier answer ever did.
 */
export type Novelty = "baseline" | "known" | "new" | "first"

/**
 * Judges an answer that names the brand. `earlier`: for each earlier answer of the cell, the newest first, whether it
 * names the brand.
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
  /** No earlier answer of the cell ever named the brand. */
  readonly first: boolean
}
