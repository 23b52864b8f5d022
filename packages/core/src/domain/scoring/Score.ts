/**
 * Share of voice of one scan (mean presence share, docs/measuring.md).
 *
 * Row: 100 · [brand mentioned] / number of tracked entities mentioned. Keyword on a platform: mean of its rows.
 * Platform: mean over keywords. Average: unweighted mean over platforms that have a score. Failed answers are missing,
 * not 0. All numbers are unrounded; rounding happens where they are shown.
 */
import type { CompetitorId, KeywordId, ScanId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import {
  averageCells,
  competitorShare,
  nobodyShare,
  type ScoredRow,
  scoreRow,
  selectHeadlineCells,
  sum
} from "./cells.ts"
import { type Interval, keywordInterval, type MentionRate, mentionRate, samplingInterval } from "./intervals.ts"

export { type ScoredRow, scoreRow } from "./cells.ts"

/** How sure a score is. All of it is about the answers behind the headline (branded prompts left out). */
export interface Uncertainty {
  /** Keywords with at least one answer. */
  readonly keywords: number
  /** 95 % interval of `avgSov` for questions like these; null below 5 keywords. */
  readonly interval: Interval | null
  /** The same for each platform. */
  readonly platforms: { readonly [K in PlatformId]?: Interval | null }
  /** 95 % interval for exactly these keywords, known where cells have several samples. */
  readonly samplingInterval: Interval | null
  readonly mentionRate: MentionRate | null
}

/** The score of one scan under one measure version and one tracked set. */
export interface Score {
  readonly scanId: ScanId
  readonly measureVersion: number
  readonly trackedSetVersion: number
  /** ICU version of the runtime that formed the score; null for a score of before it was kept. */
  readonly icuVersion: string | null
  /** 0–100; null only when no answer is archived. */
  readonly avgSov: number | null
  /** 0–100 per platform that has at least one scored answer. */
  readonly platformBreakdown: { readonly [K in PlatformId]?: number }
  /** Platforms where fewer than half of the scored keywords have an answer. */
  readonly lowCoverage: ReadonlyArray<PlatformId>
  /** Competitors' shares, formed like the brand's. */
  readonly competitors: ReadonlyArray<{ readonly id: CompetitorId; readonly sov: number }>
  /** Share of "nobody is named"; with brand and competitors it adds up to 100. */
  readonly nobody: number | null
  /** Whether branded keywords had to be scored because no platform has an answer to an unbranded one. */
  readonly brandedOnly: boolean
  /** Archived answers. */
  readonly resultsCount: number
  /** Of these, those that could not be measured: they are in no share. */
  readonly unmeasuredCount: number
  /** Questions that ended without an answer. */
  readonly failedCount: number
  readonly mentionedCount: number
  /** Null for a score of before it was kept. */
  readonly uncertainty: Uncertainty | null
}

/**
 * Forms the score from all measured rows of a scan. `brandedKeywords` are those whose prompt itself names the brand:
 * left out unless nothing else has an answer. `keywordIds` = all keywords asked (for coverage).
 */
export const scoreScan = (input: {
  readonly scanId: ScanId
  readonly measureVersion: number
  readonly trackedSetVersion: number
  readonly icuVersion: string
  readonly rows: ReadonlyArray<ScoredRow>
  readonly keywordIds: ReadonlyArray<KeywordId>
  readonly brandedKeywords: ReadonlySet<KeywordId>
  readonly competitorIds: ReadonlyArray<CompetitorId>
  /** Archived answers, measured or not. */
  readonly answers: number
  readonly failedCount: number
}): Score => {
  const { brandedOnly, cells } = selectHeadlineCells(input.rows, input.brandedKeywords)
  const asked = input.keywordIds.filter((id) => brandedOnly || !input.brandedKeywords.has(id)).length
  const platforms = [...Map.groupBy(cells, (cell) => cell.platform)]
  const answers = sum(cells.map((cell) => cell.rows.length))
  const named = sum(cells.map((cell) => cell.rows.filter((row) => row.brandMentioned).length))

  return {
    scanId: input.scanId,
    measureVersion: input.measureVersion,
    trackedSetVersion: input.trackedSetVersion,
    icuVersion: input.icuVersion,
    avgSov: averageCells(cells, scoreRow),
    platformBreakdown: Object.fromEntries(platforms.map(([id, own]) => [id, averageCells(own, scoreRow)!])),
    // A platform has one cell per keyword that it answered
    lowCoverage: platforms.filter(([, own]) => 2 * own.length < asked).map(([platform]) => platform),
    competitors: input.competitorIds.map((id) => ({ id, sov: averageCells(cells, competitorShare(id)) ?? 0 })),
    nobody: averageCells(cells, nobodyShare),
    brandedOnly,
    resultsCount: input.answers,
    unmeasuredCount: input.answers - input.rows.length,
    failedCount: input.failedCount,
    mentionedCount: input.rows.filter((row) => row.brandMentioned).length,
    uncertainty: {
      keywords: new Set(cells.map((cell) => cell.keywordId)).size,
      interval: keywordInterval(cells, scoreRow),
      platforms: Object.fromEntries(platforms.map(([id, own]) => [id, keywordInterval(own, scoreRow)])),
      samplingInterval: samplingInterval(cells, scoreRow),
      mentionRate: mentionRate(named, answers)
    }
  }
}

/** Round half up to `digits` decimals, for showing; never for computing. */
export const roundHalfUp = (value: number, digits: number): number => {
  const factor = 10 ** digits
  return Math.floor(value * factor + 0.5 + 1e-9) / factor
}
