/** Changes between two scans on their common cells (docs/measuring.md, What moved). */
import { averageCells, cellMean, type Share, sum } from "./cells.ts"
import { type CommonCell, type CommonCells, hasEnoughCellsForTrend } from "./commonCells.ts"
import { z95OneSided } from "./studentT.ts"

/** A share before and after, on the common cells. */
export interface Change {
  /** 0–100 */
  readonly before: number
  readonly after: number
  /** after − before, in points. */
  readonly delta: number
  readonly nCells: number
}

/** The difference of two scans; `flat`: within the noise of two scans without a change. */
export interface Trend extends Change {
  readonly z: number
  readonly direction: "up" | "down" | "flat"
}

/** The change of the average over one or more common cells. */
export const measureChange = (cells: ReadonlyArray<CommonCell>, share: Share): Change => {
  const average = (side: "before" | "after") => averageCells(cells.map((cell) => cell[side]), share)!
  const [before, after] = [average("before"), average("after")]
  return { before, after, delta: after - before, nCells: cells.length }
}

/**
 * The paired trend: the difference of the averages over the common cells, with z = Σd / √Σd² of the weighted
 * differences per cell (the sign-flip test, which is exact without a change and needs one sample only). If all cells
 * are common, `delta` is the difference of the two scores. Null with too few common cells.
 */
export const pairedTrend = (common: CommonCells, share: Share): Trend | null => {
  if (!hasEnoughCellsForTrend(common)) return null
  const change = measureChange(common.cells, share)
  const squares = sum(
    common.cells.map(({ after, before, weight }) => (weight * (cellMean(after, share) - cellMean(before, share))) ** 2)
  )
  // Rounding errors of differences that cancel are not a difference
  const z = squares < 1e-18 ? 0 : change.delta / Math.sqrt(squares)
  return { ...change, z, direction: z >= z95OneSided ? "up" : z <= -z95OneSided ? "down" : "flat" }
}
