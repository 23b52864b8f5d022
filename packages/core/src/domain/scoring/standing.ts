/** The share of voice of one scan taken apart: by who is named, by keyword, and by keyword on a platform. */
import type { CompetitorId, KeywordId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import { averageCells, cellMean, competitorShare, nobodyShare, type ScoredCell } from "./cells.ts"
import { type Interval, keywordInterval } from "./intervals.ts"
import { type Score, scoreRow } from "./Score.ts"

/** A share, 0–100 and unrounded, with its 95 % interval where there is one. */
export interface EstimatedShare {
  readonly sov: number | null
  readonly interval: Interval | null
}

/** How everybody beside the brand is named. */
export interface NamedShares {
  /** In the order of the tracked set. */
  readonly competitors: ReadonlyArray<
    EstimatedShare & { readonly id: CompetitorId; readonly name: string | null; readonly sov: number }
  >
  /** Of "nobody is named". */
  readonly nobody: EstimatedShare
}

/** The shares of a score's competitors and of nobody; `cells` are those behind it. */
export const findNamedShares = (
  score: Pick<Score, "competitors" | "nobody">,
  { competitors }: Pick<TrackedSet, "competitors">,
  cells: ReadonlyArray<ScoredCell>
): NamedShares => ({
  competitors: score.competitors.map(({ id, sov }) => ({
    id,
    name: competitors.find((one) => one.id === id)?.name ?? null,
    sov,
    interval: keywordInterval(cells, competitorShare(id))
  })),
  nobody: { sov: score.nobody, interval: keywordInterval(cells, nobodyShare) }
})

/** A keyword's share over all platforms that answered it, and on each of them. */
export interface KeywordShare {
  readonly id: KeywordId
  readonly sov: number
  readonly answers: number
  readonly platforms: ReadonlyMap<PlatformId, number>
}

/** The keywords behind a headline, in the order of its cells. */
export const listKeywordShares = (cells: ReadonlyArray<ScoredCell>): ReadonlyArray<KeywordShare> =>
  [...Map.groupBy(cells, (cell) => cell.keywordId)].map(([id, own]) => ({
    id,
    sov: averageCells(own, scoreRow)!,
    answers: own.reduce((total, cell) => total + cell.rows.length, 0),
    platforms: new Map(own.map((cell) => [cell.platform, cellMean(cell, scoreRow)]))
  }))
