/** Rule `new_mention`: the brand is named where it was not (measuring.md, trend and alerts). */
import type { AnswerId, KeywordId } from "../ids.ts"
import type { Sentiment } from "../measuring/Measurement.ts"
import type { PlatformId } from "../platforms/Platform.ts"

/** Earlier answers of a cell that a mention must be absent from to be new. */
export const absentIn = 5

/**
 * A cell (keyword on a platform) whose answer names the brand, none of whose last 5 earlier answers does. A cell without
 * an earlier answer has none: its first scan is the baseline.
 */
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
