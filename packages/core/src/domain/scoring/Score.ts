/**
 * Share of voice of one scan (mean presence share, docs/measuring.md).
 *
 * Row: 100 · [brand mentioned] / number of tracked entities mentioned. Keyword on a platform: mean of its rows.
 * Platform: mean over keywords. Average: unweighted mean over platforms that have a score. Failed answers are missing
 * rather than 0. No number is rounded before output.
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
import { topicOf } from "./panel.ts"

export { type ScoredRow, scoreRow } from "./cells.ts"

/** The uncertainty of a score, over the answers that the headline includes (without branded prompts). */
export interface Uncertainty {
  /** Number of keywords with at least one answer. */
  readonly keywords: number
  /** Number of topics of these keywords; absent from scores of older versions. */
  readonly topics?: number
  /** 95 % interval of `avgSov` for other topics like these; null below two topics. */
  readonly interval: Interval | null
  /** The interval of each platform. */
  readonly platforms: { readonly [K in PlatformId]?: Interval | null }
  /** 95 % interval for exactly these keywords; null unless cells have several samples. */
  readonly samplingInterval: Interval | null
  readonly mentionRate: MentionRate | null
}

/** The score of one scan under one measure version and one tracked set. */
export interface Score {
  readonly scanId: ScanId
  readonly measureVersion: number
  readonly trackedSetVersion: number
  /** ICU version of the runtime that computed the score; null for scores of older releases. */
  readonly icuVersion: string | null
  /** Share of voice, 0–100; null only if no answer is archived. */
  readonly avgSov: number | null
  /** Share of voice of each platform with at least one scored answer, 0–100. */
  readonly platformBreakdown: { readonly [K in PlatformId]?: number }
  /** Platforms where fewer than half of the scored keywords have an answer. */
  readonly lowCoverage: ReadonlyArray<PlatformId>
  /** Shares of the competitors, computed like the brand's. */
  readonly competitors: ReadonlyArray<{ readonly id: CompetitorId; readonly sov: number }>
  /** Share of answers that name no entity; all shares add up to 100. */
  readonly nobody: number | null
  /** Whether branded keywords are scored because no unbranded keyword has an answer. */
  readonly brandedOnly: boolean
  /** Number of archived answers. */
  readonly resultsCount: number
  /** Number of archived answers that could not be measured; no share includes them. */
  readonly unmeasuredCount: number
  /** Number of questions that ended without an answer. */
  readonly failedCount: number
  /** Number of questions for which the app showed no overview; no share includes them. */
  readonly noOverviewCount: number
  readonly mentionedCount: number
  /** Null for scores of older releases. */
  readonly uncertainty: Uncertainty | null
}

/**
 * Computes the score from all measured rows of a scan. `brandedKeywords` (whose prompt itself names the brand) are left
 * out unless no other keyword has an answer. `keywordIds` lists all asked keywords, for the coverage; `topics` contains
 * the keywords that share a topic with others.
 */
export const scoreScan = (input: {
  readonly scanId: ScanId
  readonly measureVersion: number
  readonly trackedSetVersion: number
  readonly icuVersion: string
  readonly rows: ReadonlyArray<ScoredRow>
  readonly keywordIds: ReadonlyArray<KeywordId>
  readonly brandedKeywords: ReadonlySet<KeywordId>
  readonly topics: ReadonlyMap<KeywordId, string>
  readonly competitorIds: ReadonlyArray<CompetitorId>
  /** Number of archived answers, measured or not. */
  readonly answers: number
  readonly failedCount: number
  readonly noOverviewCount: number
}): Score => {
  const { brandedOnly, cells } = selectHeadlineCells(input.rows, input.brandedKeywords, input.topics)
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
    // A platform has one cell per answered keyword
    lowCoverage: platforms.filter(([, own]) => 2 * own.length < asked).map(([platform]) => platform),
    competitors: input.competitorIds.map((id) => ({ id, sov: averageCells(cells, competitorShare(id)) ?? 0 })),
    nobody: averageCells(cells, nobodyShare),
    brandedOnly,
    resultsCount: input.answers,
    unmeasuredCount: input.answers - input.rows.length,
    failedCount: input.failedCount,
    noOverviewCount: input.noOverviewCount,
    mentionedCount: input.rows.filter((row) => row.brandMentioned).length,
    uncertainty: {
      keywords: new Set(cells.map((cell) => cell.keywordId)).size,
      topics: new Set(cells.map(topicOf)).size,
      interval: keywordInterval(cells, scoreRow),
      platforms: Object.fromEntries(platforms.map(([id, own]) => [id, keywordInterval(own, scoreRow)])),
      samplingInterval: samplingInterval(cells, scoreRow),
      mentionRate: mentionRate(named, answers)
    }
  }
}

/** Number of measured answers behind a score. */
export const countMeasured = ({ resultsCount, unmeasuredCount }: Score): number => resultsCount - unmeasuredCount

/** Rounds half up to `digits` decimals. For output only. */
export const roundHalfUp = (value: number, digits: number): number => {
  const factor = 10 ** digits
  return Math.floor(value * factor + 0.5 + 1e-9) / factor
}

/** Like `roundHalfUp`; null for a number that is not known. */
export const roundOrNull = (value: number | null | undefined, digits: number): number | null =>
  value == null ? null : roundHalfUp(value, digits)

/** Rounds points or percentages to one decimal, halves away from zero; never returns -0. */
export const roundPoints = (value: number): number => roundHalfUp(Math.abs(value), 1) * Math.sign(value) + 0
