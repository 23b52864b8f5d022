/** Changes between two scans on their common cells (docs/measuring.md, section "What moved"). */
import { averageCells, type Share } from "./cells.ts"
import type { CommonCell } from "./commonCells.ts"

/** A share before and after a change, on the common cells. */
export interface Change {
  /** 0–100 */
  readonly before: number
  readonly after: number
  /** after − before, in points. */
  readonly delta: number
  readonly nCells: number
}

/** The change since the scan before. `flat`: within noise. `z`: the tested difference in standard errors (t). */
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
