/** Rows of the archive: the answer as it is stored, and the row that readers get, with its newest measurement. */
import type { AnswerId, CellId, KeywordId, ScanId } from "../ids.ts"
import type { Sentiment } from "../measuring/Measurement.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import type { Citation, Finish, Usage } from "./Answer.ts"

/** One archived answer. It is inserted once and never changes. */
export interface ArchivedAnswer {
  readonly id: AnswerId
  readonly scanId: ScanId
  readonly cellId: CellId
  readonly keywordId: KeywordId
  readonly platform: PlatformId
  readonly sample: number
  readonly promptUsed: string
  /** Full text, not trimmed; U+0000 and lone surrogates are replaced by U+FFFD. */
  readonly rawResponse: string
  /** The provider's response body, byte for byte. */
  readonly payload: Uint8Array
  /** sha256 of the canonical leaf, see Seal.ts. */
  readonly leafHash: Uint8Array
  readonly adapter: string
  readonly model: string
  readonly latencyMs: number
  readonly finish: Finish
  readonly usage: Usage
  readonly citations: ReadonlyArray<Citation>
  readonly simulated: boolean
  /** Time of the archive insert, milliseconds. */
  readonly createdAt: Date
}

/** An answer with its newest measurement; measured fields are null until the answer has been measured. */
export interface ArchiveRow {
  readonly id: AnswerId
  readonly scanId: ScanId
  readonly platform: PlatformId
  readonly keywordId: KeywordId
  readonly promptUsed: string
  readonly rawResponse: string
  readonly brandMentioned: boolean | null
  readonly mentionCount: number | null
  readonly mentionPosition: number | null
  readonly sentiment: Sentiment | null
  /** Who decided the sentiment: `rules`, or the judge's name. */
  readonly sentimentBy: string | null
  /** 0–100, unrounded. */
  readonly sovScore: number | null
  readonly createdAt: Date
  readonly simulated: boolean
}

/** A position in the archive's order (`createdAt desc, id desc`). */
export interface ArchivePosition {
  readonly createdAt: Date
  readonly id: AnswerId
}
