/** The share of voice of one scan by entity, by keyword, and by keyword and platform. */
import type { CompetitorId, KeywordId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import { averageCells, cellMean, competitorShare, nobodyShare, type ScoredCell } from "./cells.ts"
import { estimateIntervals, type Interval } from "./intervals.ts"
import { type Score, scoreRow } from "./Score.ts"

/** A share, 0–100 and unrounded, with its 95 % interval if available. */
export interface EstimatedShare {
  readonly sov: number | null
  readonly interval: Interval | null
}

/** The shares of the competitors and of "nobody". */
export interface NamedShares {
  /** The competitors, in the order of the tracked set. */
  readonly competitors: ReadonlyArray<
    EstimatedShare & { readonly id: CompetitorId; readonly name: string | null; readonly sov: number }
  >
  /** Share of answers that name no entity. */
  readonly nobody: EstimatedShare
}

/** The shares of a score's competitors and of "nobody"; `cells` are the cells of the score. */
export const findNamedShares = (
  score: Pick<Score, "competitors" | "nobody">,
  { competitors }: Pick<TrackedSet, "competitors">,
  cells: ReadonlyArray<ScoredCell>
): NamedShares => {
  const intervalOf = estimateIntervals(cells)
  return {
    competitors: score.competitors.map(({ id, sov }) => ({
      id,
      name: competitors.find((one) => one.id === id)?.name ?? null,
      sov,
      interval: intervalOf(competitorShare(id))
    })),
    nobody: { sov: score.nobody, interval: intervalOf(nobodyShare) }
  }
}

/** The rank of a share among others, from 1: equal shares have the same rank. */
export const rankOf = (share: number, others: ReadonlyArray<number>): number =>
  1 + others.filter((other) => other > share).length

/** The names with the highest share in a score: several if their shares are equal, empty if no name is mentioned. */
export const findLeaders = (
  { avgSov, competitors }: Pick<Score, "avgSov" | "competitors">
): ReadonlyArray<CompetitorId | "brand"> => {
  const all = [{ id: "brand" as const, sov: avgSov ?? 0 }, ...competitors]
  const highest = Math.max(...all.map(({ sov }) => sov))
  return highest === 0 ? [] : all.filter(({ sov }) => sov === highest).map(({ id }) => id)
}

/** A keyword's share over all platforms with an answer, and on each of them. */
export interface KeywordShare {
  readonly id: KeywordId
  readonly sov: number
  readonly answers: number
  readonly platforms: ReadonlyMap<PlatformId, number>
}

/** The share of each keyword of a headline, in the order of its cells. */
export const listKeywordShares = (cells: ReadonlyArray<ScoredCell>): ReadonlyArray<KeywordShare> =>
  [...Map.groupBy(cells, (cell) => cell.keywordId)].map(([id, own]) => ({
    id,
    sov: averageCells(own, scoreRow)!,
    answers: own.reduce((total, cell) => total + cell.rows.length, 0),
    platforms: new Map(own.map((cell) => [cell.platform, cellMean(cell, scoreRow)]))
  }))
