/** Archived answers as clients see them. */
import type { ArchiveRow } from "../domain/archive/ArchiveRow.ts"
import { roundHalfUp } from "../domain/scoring/Score.ts"
import { label } from "./label.ts"

/** How an answer speaks of the brand; who decided it is named when the rules did not. */
export const stanceJson = ({ sentiment, sentimentBy }: Pick<ArchiveRow, "sentiment" | "sentimentBy">) => ({
  sentiment,
  ...(sentimentBy === null || sentimentBy === "rules" ? {} : { sentiment_by: sentimentBy })
})

/** An archived answer with its newest measurement; `sov_score` with two decimals. */
export const archiveRowJson = (row: ArchiveRow) => ({
  id: row.id,
  scan_id: row.scanId,
  platform: row.platform,
  keyword_id: row.keywordId,
  prompt_used: row.promptUsed,
  raw_response: row.rawResponse,
  brand_mentioned: row.brandMentioned,
  mention_count: row.mentionCount,
  mention_position: row.mentionPosition,
  ...stanceJson(row),
  sov_score: row.sovScore === null ? null : roundHalfUp(row.sovScore, 2),
  created_at: row.createdAt.toISOString(),
  ...label(row.simulated)
})
export type ArchiveRowJson = ReturnType<typeof archiveRowJson>
