/** Compares a scan with the scan before it on their common cells, and marks changes beyond noise. */
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import type { Break } from "./breaks.ts"
import type { ScoredCell } from "./cells.ts"
import { findCommonCells } from "./commonCells.ts"
import { findMovements, type MarkedChanges, type NamedTrend } from "./movements.ts"
import type { Score } from "./Score.ts"
import type { Trend } from "./trend.ts"

/** The comparison of two scans on their common cells, with the same tracked set and measure version. */
export interface CommonCellsComparison
  extends
    Pick<Score, "measureVersion" | "trackedSetVersion">,
    Pick<MarkedChanges, "platforms" | "keywords" | "competitors">
{
  /** Number of common cells (`nCells`) and of cells of the larger scan (`ofCells`). */
  readonly nCells: number
  readonly ofCells: number
  /** Breaks of platforms whose answers are therefore not compared. */
  readonly breaks: ReadonlyArray<Break>
  /** Null if there are too few common cells (`hasEnoughCellsForTrend`); the lists are then empty. */
  readonly trend: Trend | null
  /** Null if `trend` is null. */
  readonly nobody: NamedTrend | null
}

/**
 * Compares the newest of 2 or more scans, oldest first, with the scan before it. All scans have the same tracked set
 * and measure version; the earlier ones show how much varies by chance (`findMovements`).
 */
export const compareCells = (
  scans: ReadonlyArray<ReadonlyArray<ScoredCell>>,
  { competitors, version }: Pick<TrackedSet, "competitors" | "version">,
  measureVersion: number
): CommonCellsComparison => {
  const common = findCommonCells(scans.at(-2)!, scans.at(-1)!)
  return {
    measureVersion,
    trackedSetVersion: version,
    nCells: common.cells.length,
    ofCells: common.of,
    breaks: common.breaks,
    ...findMovements(scans, competitors.map(({ id }) => id)) ??
      { trend: null, platforms: [], keywords: [], competitors: [], nobody: null }
  }
}
