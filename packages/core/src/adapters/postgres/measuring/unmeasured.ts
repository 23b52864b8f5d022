import { Schema } from "effect"
import { AnswerId, KeywordId } from "../../../domain/ids.ts"
import { PlatformId } from "../../../domain/platforms/Platform.ts"
import { rowOf } from "../rows.ts"

/** The columns of an answer that measuring needs. */
export const unmeasuredColumns = {
  answerId: AnswerId,
  keywordId: KeywordId,
  platform: PlatformId,
  promptUsed: Schema.String,
  rawResponse: Schema.String
}

/** A row with the columns of an answer that measuring needs. */
export const UnmeasuredRow = rowOf(unmeasuredColumns)
