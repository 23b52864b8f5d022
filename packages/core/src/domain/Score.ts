/**
 * Share of voice of one scan (measuring.md §4, mean presence share).
 *
 * Row: 100 · [brand mentioned] / number of tracked entities mentioned. Keyword on a platform: mean of its rows.
 * Platform: mean over keywords. Average: unweighted mean over platforms that have a score. Failed answers are missing,
 * not 0. All numbers are unrounded; rounding happens where they are shown.
 */
import type { CompetitorId, KeywordId, ScanId } from "./ids.ts"
import type { PlatformId } from "./Platform.ts"

/** What scoring needs of one measured answer. */
export interface ScoredRow {
  readonly platform: PlatformId
  readonly keywordId: KeywordId
  readonly brandMentioned: boolean
  readonly competitorsMentioned: ReadonlyArray<CompetitorId>
}

/** The score of one scan under one measure version and one tracked set. */
export interface Score {
  readonly scanId: ScanId
  readonly measureVersion: number
  readonly trackedSetVersion: number
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
  readonly resultsCount: number
  readonly failedCount: number
  readonly mentionedCount: number
}

/** 100 · [brand mentioned] / entities mentioned; 0 when the brand is not mentioned. */
export const rowScore = (row: Pick<ScoredRow, "brandMentioned" | "competitorsMentioned">): number =>
  row.brandMentioned ? 100 / (1 + row.competitorsMentioned.length) : 0

const mean = (values: ReadonlyArray<number>): number => values.reduce((a, b) => a + b, 0) / values.length

const groupBy = <A, K>(items: Iterable<A>, key: (a: A) => K): ReadonlyMap<K, ReadonlyArray<A>> =>
  Map.groupBy(items, key)

/** Mean over keywords of the mean over their rows. */
const platformMean = (rows: ReadonlyArray<ScoredRow>, value: (row: ScoredRow) => number): number =>
  mean([...groupBy(rows, (row) => row.keywordId).values()].map((cell) => mean(cell.map(value))))

/**
 * Forms the score from all measured rows of a scan. `brandedKeywords` are those whose prompt itself names the brand:
 * left out unless nothing else has an answer. `keywordCount` = all keywords asked (for coverage).
 */
export const scoreScan = (input: {
  readonly scanId: ScanId
  readonly measureVersion: number
  readonly trackedSetVersion: number
  readonly rows: ReadonlyArray<ScoredRow>
  readonly keywordIds: ReadonlyArray<KeywordId>
  readonly brandedKeywords: ReadonlySet<KeywordId>
  readonly competitorIds: ReadonlyArray<CompetitorId>
  readonly failedCount: number
}): Score => {
  const unbranded = input.rows.filter((row) => !input.brandedKeywords.has(row.keywordId))
  const brandedOnly = unbranded.length === 0 && input.rows.length > 0
  const rows = brandedOnly ? input.rows : unbranded
  const scoredKeywords = input.keywordIds.filter((id) => brandedOnly || !input.brandedKeywords.has(id)).length
  const platforms = groupBy(rows, (row) => row.platform)

  const average = (value: (row: ScoredRow) => number): number | null =>
    platforms.size === 0 ? null : mean([...platforms.values()].map((rowsOf) => platformMean(rowsOf, value)))
  const share = (mentioned: (row: ScoredRow) => boolean) => (row: ScoredRow): number =>
    mentioned(row) ? 100 / ((row.brandMentioned ? 1 : 0) + row.competitorsMentioned.length) : 0

  return {
    scanId: input.scanId,
    measureVersion: input.measureVersion,
    trackedSetVersion: input.trackedSetVersion,
    avgSov: average(rowScore),
    platformBreakdown: Object.fromEntries(
      [...platforms].map(([platform, rowsOf]) => [platform, platformMean(rowsOf, rowScore)])
    ),
    lowCoverage: [...platforms]
      .filter(([, rowsOf]) => 2 * new Set(rowsOf.map((row) => row.keywordId)).size < scoredKeywords)
      .map(([platform]) => platform),
    competitors: input.competitorIds.map((id) => ({
      id,
      sov: average(share((row) => row.competitorsMentioned.includes(id))) ?? 0
    })),
    nobody: average((row) => !row.brandMentioned && row.competitorsMentioned.length === 0 ? 100 : 0),
    brandedOnly,
    resultsCount: input.rows.length,
    failedCount: input.failedCount,
    mentionedCount: input.rows.filter((row) => row.brandMentioned).length
  }
}

/** Round half up to `digits` decimals, for showing; never for computing. */
export const roundHalfUp = (value: number, digits: number): number => {
  const factor = 10 ** digits
  return Math.floor(value * factor + 0.5 + 1e-9) / factor
}
