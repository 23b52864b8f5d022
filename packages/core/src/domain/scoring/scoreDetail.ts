/** Computes the details of a score: shares by keyword, and changes, from its cells and those of the scans before it. */
import type { Keyword } from "../tracking/Keyword.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import { competitorShare, type ScoredCell } from "./cells.ts"
import { type CommonCellsComparison, compareCells } from "./compareCells.ts"
import { type Prediction, predictNext } from "./prediction.ts"
import { type Score, scoreRow } from "./Score.ts"
import { findNamedShares, type KeywordShare, listKeywordShares, type NamedShares } from "./standing.ts"

/**
 * The version of `formScoreDetail` and of the rule for enough common cells. Increase it whenever a number or that rule
 * changes; stored details of other versions are computed again.
 */
export const scoreDetailVersion = 5

/** Maximum number of scans for a detail: the score's own scan, and earlier ones to estimate the noise. */
export const maxDetailScans = 5

/** The detail of a score. It changes only when more answers of its scans are measured. */
export interface ScoreDetail {
  readonly named: NamedShares
  /** Shares of all scored keywords, in the order of their answers. */
  readonly keywordShares: ReadonlyArray<KeywordShare>
  /** The keywords with answers in these scans. */
  readonly keywords: ReadonlyArray<Pick<Keyword, "id" | "text">>
  /** Change since the scan before; null if there is no scan before. */
  readonly change: CommonCellsComparison | null
  readonly next: Prediction | null
}

/**
 * Computes the detail of a score. `scans` contains the cells of comparable scans, oldest first, the score's own last.
 */
export const formScoreDetail = (
  score: Score,
  set: Pick<TrackedSet, "competitors" | "version">,
  scans: ReadonlyArray<ReadonlyArray<ScoredCell>>,
  keywords: ScoreDetail["keywords"]
): ScoreDetail => {
  const own = scans.at(-1)!
  return {
    named: findNamedShares(score, set, own),
    keywordShares: listKeywordShares(own),
    keywords,
    change: scans.length < 2 ? null : compareCells(scans, set, score.measureVersion),
    next: predictNext(scans, scoreRow, set.competitors.map(({ id }) => competitorShare(id)))
  }
}
