/** The inputs of a score (docs/measuring.md): rows, the cells that the rows form, and the weight of each cell. */
import type { CompetitorId, KeywordId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import type { SearchMode } from "../sources/Source.ts"

/** The origin of an answer; null means unknown. */
export interface AnswerOrigin {
  /** The model, as the provider names it. */
  readonly model: string | null
  readonly search: SearchMode | null
  /** What the request stated about its reader (`SentMarket`), as JSON. */
  readonly sent?: string | null
}

/** The fields of one measured answer that scoring uses. */
export interface ScoredRow {
  readonly platform: PlatformId
  readonly keywordId: KeywordId
  readonly brandMentioned: boolean
  readonly competitorsMentioned: ReadonlyArray<CompetitorId>
  /** Absent if scans are not compared. */
  readonly origin?: AnswerOrigin
}

/** The share of one entity, or of "nobody", in one answer, 0–100. */
export type Share<Row = ScoredRow> = (row: Row) => number

/** 100 · [brand mentioned] / entities mentioned; 0 when the brand is not mentioned. */
export const scoreRow = (row: Pick<ScoredRow, "brandMentioned" | "competitorsMentioned">): number =>
  row.brandMentioned ? 100 / (1 + row.competitorsMentioned.length) : 0

/** Returns the share of a competitor. */
export const competitorShare = (id: CompetitorId): Share => (row) =>
  row.competitorsMentioned.includes(id) ? 100 / ((row.brandMentioned ? 1 : 0) + row.competitorsMentioned.length) : 0

/** 100 if the answer names no entity, otherwise 0. With it, the shares of every answer add up to 100. */
export const nobodyShare: Share = (row) => !row.brandMentioned && row.competitorsMentioned.length === 0 ? 100 : 0

/** One keyword on one platform with at least one answer; scans with samples have several. */
export interface ScoredCell<Row = ScoredRow> {
  readonly platform: PlatformId
  readonly keywordId: KeywordId
  /** Questions with the same topic count as one observation. Absent if the question is its own topic. */
  readonly topic?: string
  readonly rows: ReadonlyArray<Row>
}

/**
 * Groups rows by keyword and platform. A cell without an answer is absent, because a failure is missing rather than 0.
 */
export const groupIntoCells = <Row extends Pick<ScoredRow, "platform" | "keywordId">>(
  rows: ReadonlyArray<Row>
): ReadonlyArray<ScoredCell<Row>> =>
  [...Map.groupBy(rows, (row) => `${row.platform} ${row.keywordId}`).values()].map((samples) => ({
    platform: samples[0]!.platform,
    keywordId: samples[0]!.keywordId,
    rows: samples
  }))

/**
 * The cells that the headline includes. Cells of branded keywords, whose prompt itself names the brand, are left out
 * unless no other cell has an answer. `topics` contains the keywords that share a topic with others.
 */
export const selectHeadlineCells = (
  rows: ReadonlyArray<ScoredRow>,
  brandedKeywords: ReadonlySet<KeywordId>,
  topics: ReadonlyMap<KeywordId, string>
): { readonly cells: ReadonlyArray<ScoredCell>; readonly brandedOnly: boolean } => {
  const unbranded = rows.filter((row) => !brandedKeywords.has(row.keywordId))
  const brandedOnly = unbranded.length === 0 && rows.length > 0
  const cells = groupIntoCells(brandedOnly ? rows : unbranded)
  return {
    cells: topics.size === 0 ? cells : cells.map((cell) => {
      const topic = topics.get(cell.keywordId)
      return topic === undefined ? cell : { ...cell, topic }
    }),
    brandedOnly
  }
}

/** The sum; 0 without values. */
export const sum = (values: Iterable<number>): number => {
  let total = 0
  for (const value of values) total += value
  return total
}

const mean = (values: ReadonlyArray<number>): number => sum(values) / values.length

/** The mean share over a cell's answers; NaN without answers. */
export const cellMean = <Row>(cell: Pick<ScoredCell<Row>, "rows">, share: Share<Row>): number =>
  mean(cell.rows.map(share))

/**
 * The weights of the cells in the average, in the given order. Keywords of a platform have the same weight, and so do
 * platforms; all weights add up to 1.
 */
export const weighCells = (cells: ReadonlyArray<Pick<ScoredCell, "platform">>): ReadonlyArray<number> => {
  const keywords = new Map<PlatformId, number>()
  for (const { platform } of cells) keywords.set(platform, (keywords.get(platform) ?? 0) + 1)
  return cells.map(({ platform }) => 1 / (keywords.size * keywords.get(platform)!))
}

/** The mean over platforms of the mean over keywords of the mean over samples; null without cells. */
export const averageCells = <Row>(cells: ReadonlyArray<ScoredCell<Row>>, share: Share<Row>): number | null => {
  const platforms = [...Map.groupBy(cells, (cell) => cell.platform).values()]
  return platforms.length === 0 ? null : mean(platforms.map((own) => mean(own.map((cell) => cellMean(cell, share)))))
}
