/** Rows of the archive: answers as they are stored, and rows for readers with the newest measurement. */
import type { AnswerId, CellId, KeywordId, ScanId } from "../ids.ts"
import type { Sentiment } from "../measuring/Measurement.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import type { Asked } from "../platforms/surface.ts"
import type { AnswerSources, CapturedSource, SearchMode, SourcesStatus } from "../sources/Source.ts"
import type { Citation, Finish, Usage } from "./Answer.ts"
import type { Provenance } from "./Seal.ts"

/** The provenance of an answer at the time of archiving. */
export interface Capture {
  readonly search: SearchMode | null
  /** sha256 of the payload, in lower-case hex. */
  readonly payloadSha256: string
  readonly sourceVersion: number
  readonly found: AnswerSources
  /** The market, surface and view of the answer; absent for a leaf of version 2. */
  readonly asked?: Asked
}

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
  /** The additional fields of a leaf of version 2 or 3; absent for version 1. */
  readonly capture?: Capture
}

/** The additional fields that a leaf of version 2 or 3 covers; null for version 1. */
export const provenanceFromAnswer = (
  { capture, model, simulated }: Pick<ArchivedAnswer, "capture" | "model" | "simulated">
): Provenance | null =>
  capture === undefined
    ? null
    : {
      model,
      simulated,
      search: capture.search,
      payloadSha256: capture.payloadSha256,
      sourceVersion: capture.sourceVersion,
      sources: capture.found.sources,
      queries: capture.found.queries,
      asked: capture.asked ?? null
    }

/** The known provenance of an archived answer. */
export interface RowProvenance {
  readonly leafVersion: 1 | 2 | 3
  readonly model: string
  readonly search: SearchMode | null
  /** Null for leaves of version 1. */
  readonly payloadSha256: string | null
  /** The version of the rules that derived the sources, which leaf version 2 seals. Null until they are derived. */
  readonly sourceVersion: number | null
  readonly status: SourcesStatus | null
  readonly cut: number
  readonly sources: ReadonlyArray<CapturedSource>
  readonly queries: ReadonlyArray<string>
}

/** An answer with its newest measurement; measured fields are null until the answer is measured. */
export interface ArchiveRow<Text = string> {
  readonly id: AnswerId
  readonly scanId: ScanId
  readonly platform: PlatformId
  readonly keywordId: KeywordId
  readonly promptUsed: string
  readonly rawResponse: Text
  readonly brandMentioned: boolean | null
  readonly mentionCount: number | null
  readonly mentionPosition: number | null
  readonly sentiment: Sentiment | null
  /** The origin of the sentiment: `rules`, or the judge's name. */
  readonly sentimentBy: string | null
  /** 0–100, unrounded. */
  readonly sovScore: number | null
  readonly createdAt: Date
  readonly simulated: boolean
  /** The market, surface and view of the answer; null if its leaf does not cover them. */
  readonly asked: Asked | null
  /** Absent unless requested. */
  readonly provenance?: RowProvenance
}

/** A position in the archive's order (`createdAt desc, id desc`). */
export interface ArchivePosition {
  readonly createdAt: Date
  readonly id: AnswerId
}
