/** Compares two scans on their common cells, and marks changes beyond noise. */
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import type { ScoredCell } from "./cells.ts"
import { findCommonCells } from "./commonCells.ts"
import { findMovements, findNamedTrends, type NamedTrend, type NamedTrends } from "./movements.ts"
import { type Score, scoreRow } from "./Score.ts"
import { pairedTrend, type Trend } from "./trend.ts"

/** The comparison of two scans on their common cells, with the same tracked set and measure version. */
export interface CommonCellsComparison extends Pick<Score, "measureVersion" | "trackedSetVersion"> {
  /** Number of common cells, and of cells of the larger scan. */
  readonly nCells: number
  readonly ofCells: number
  /** Null with too few common cells, see `hasEnoughCellsForTrend`. */
  readonly trend: Trend | null
  /** Empty if `trend` is null. */
  readonly platforms: ReturnType<typeof findMovements>["platforms"]
  readonly keywords: ReturnType<typeof findMovements>["keywords"]
  readonly competitors: NamedTrends["competitors"]
  /** Null if `trend` is null. */
  readonly nobody: NamedTrend | null
}

/** Compares the cells of two scans with the same tracked set and measure version. */
export const compareCells = (
  before: ReadonlyArray<ScoredCell>,
  after: ReadonlyArray<ScoredCell>,
  { competitors, version }: Pick<TrackedSet, "competitors" | "version">,
  measureVersion: number
): CommonCellsComparison => {
  const common = findCommonCells(before, after)
  const trend = pairedTrend(common, scoreRow)
  return {
    measureVersion,
    trackedSetVersion: version,
    nCells: common.cells.length,
    ofCells: common.of,
    trend,
    ...trend === null ? { platforms: [], keywords: [] } : findMovements(common, scoreRow),
    ...findNamedTrends(common, competitors.map(({ id }) => id)) ?? { competitors: [], nobody: null }
  }
}
