import type { AnswerId, KeywordId } from "../../../domain/ids.ts"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import type { Unmeasured } from "../../../ports/MeasurementStore.ts"

/** An answer with what measuring it needs. */
export interface UnmeasuredRow {
  readonly id: string
  readonly keyword_id: string
  readonly platform: string
  readonly prompt_used: string
  readonly raw_response: string
}

/** The answer as the port gives it. */
export const unmeasuredFromRow = (row: UnmeasuredRow): Unmeasured => ({
  answerId: row.id as AnswerId,
  keywordId: row.keyword_id as KeywordId,
  platform: row.platform as PlatformId,
  promptUsed: row.prompt_used,
  rawResponse: row.raw_response
})
