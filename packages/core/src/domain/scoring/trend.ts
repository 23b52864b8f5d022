/** What changed between two scans, on the cells that both have (docs/measuring.md, What moved). */
import { averageCells, cellMean, type Share, sum } from "./cells.ts"
import { type CommonCell, type CommonCells, hasEnoughCellsForTrend } from "./commonCells.ts"
import { z95OneSided } from "./studentT.ts"

/** A share before and after, on the same cells. */
export interface Change {
  /** 0–100 */
  readonly before: number
  readonly after: number
  /** after − before, in points. */
  readonly delta: number
  readonly nCells: number
}

/** How two scans differ; `flat` = within what two scans of an unchanged world differ by. */
export interface Trend extends Change {
  readonly z: number
  readonly direction: "up" | "down" | "flat"
}

/** The change of the average over some of the common cells, at least one. */
export const measureChange = (cells: ReadonlyArray<CommonCell>, share: Share): Change => {
  const average = (side: "before" | "after") => averageCells(cells.map((cell) => cell[side]), share)!
  const [before, after] = [average("before"), average("after")]
  return { before, after, delta: after - before, nCells: cells.length }
}

/**
 * The paired trend: difference of the averages over the common cells, with z = Σd / √Σd² of the weighted differences
 * per cell (the sign-flip test: exact under "no change", needs one sample only). With all cells in common, `delta` is
 * the difference of the two scores. Null when too few cells are common.
 */
export const pairedTrend = (common: CommonCells, share: Share): Trend | null => {
  if (!hasEnoughCellsForTrend(common)) return null
  const change = measureChange(common.cells, share)
  const squares = sum(
    common.cells.map(({ after, before, weight }) => (weight * (cellMean(after, share) - cellMean(before, share))) ** 2)
  )
  // Both sums are rounded: what is left of differences that cancel is no difference
  const z = squares < 1e-18 ? 0 : change.delta / Math.sqrt(squares)
  return { ...change, z, direction: z >= z95OneSided ? "up" : z <= -z95OneSided ? "down" : "flat" }
}
