/** What the cells behind a score say beside its numbers, together with those of the scans before it. */
import type { Keyword } from "../tracking/Keyword.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import { competitorShare, type ScoredCell } from "./cells.ts"
import { type CommonCellsComparison, compareCells } from "./compareCells.ts"
import { type Prediction, predictNext } from "./prediction.ts"
import { type Score, scoreRow } from "./Score.ts"
import { findNamedShares, type KeywordShare, listKeywordShares, type NamedShares } from "./standing.ts"

/**
 * The version of what `formScoreDetail` makes of given cells, and of which scans share enough of them for a trend. What
 * is kept under another version is formed again: whoever changes a number or that rule counts it up.
 */
export const scoreDetailVersion = 1

/** The most scans that a detail is formed of: the score's own, and those before it that the noise is estimated from. */
export const maxDetailScans = 5

/** It never changes: what a scored scan answered, once measured, does not either. */
export interface ScoreDetail {
  readonly named: NamedShares
  /** Of every keyword that was scored, in the order of the answers. */
  readonly keywordShares: ReadonlyArray<KeywordShare>
  /** The keywords that have answers in these scans. */
  readonly keywords: ReadonlyArray<Pick<Keyword, "id" | "text">>
  /** Against the scan before; null without one. */
  readonly change: CommonCellsComparison | null
  readonly next: Prediction | null
}

/**
 * Forms the detail of a score. `scans` are the cells of scans that were measured like it, oldest first, its own last.
 */
export const formScoreDetail = (
  score: Score,
  set: Pick<TrackedSet, "competitors" | "version">,
  scans: ReadonlyArray<ReadonlyArray<ScoredCell>>,
  keywords: ScoreDetail["keywords"]
): ScoreDetail => {
  const [before, own] = [scans.at(-2), scans.at(-1)!]
  return {
    named: findNamedShares(score, set, own),
    keywordShares: listKeywordShares(own),
    keywords,
    change: before === undefined ? null : compareCells(before, own, set, score.measureVersion),
    next: predictNext(scans, scoreRow, set.competitors.map(({ id }) => competitorShare(id)))
  }
}
