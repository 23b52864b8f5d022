/** Two scans on the cells that both answered: what moved, and what of it is more than noise. */
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import type { ScoredCell } from "./cells.ts"
import { findCommonCells } from "./commonCells.ts"
import { findMovements, findNamedTrends, type NamedTrend, type NamedTrends } from "./movements.ts"
import { type Score, scoreRow } from "./Score.ts"
import { pairedTrend, type Trend } from "./trend.ts"

/** Two scans compared on their common cells. Both are measured with one tracked set and one version of the rules. */
export interface CommonCellsComparison extends Pick<Score, "measureVersion" | "trackedSetVersion"> {
  /** Cells in common, and those of the larger scan. */
  readonly nCells: number
  readonly ofCells: number
  /** Null when too few cells are common, see `hasEnoughCellsForTrend`. */
  readonly trend: Trend | null
  /** Empty when `trend` is null. */
  readonly platforms: ReturnType<typeof findMovements>["platforms"]
  readonly keywords: ReturnType<typeof findMovements>["keywords"]
  readonly competitors: NamedTrends["competitors"]
  /** Null when `trend` is null. */
  readonly nobody: NamedTrend | null
}

/** Compares the cells of two scans that were measured alike. */
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
