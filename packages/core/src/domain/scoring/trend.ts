/** What changed between two scans, on the cells that both have (measuring.md §4). */
import { averageOf, cellMean, type ScoredCell, type Share, sum, weightsOf } from "./cells.ts"

/** One keyword on one platform, answered in both scans. */
export interface CommonCell {
  readonly before: ScoredCell
  readonly after: ScoredCell
  /** Weight in the average over the common cells; all add up to 1. */
  readonly weight: number
}

/** The cells that two scans share, and how many the larger scan has. */
export interface CommonCells {
  readonly cells: ReadonlyArray<CommonCell>
  readonly of: number
}

const key = (cell: ScoredCell): string => `${cell.platform} ${cell.keywordId}`

/** Pairs the cells of two scans that were measured alike (same tracked set, same measure version). */
export const commonCells = (before: ReadonlyArray<ScoredCell>, after: ReadonlyArray<ScoredCell>): CommonCells => {
  const earlier = new Map(before.map((cell) => [key(cell), cell]))
  const pairs = after.flatMap((cell) => {
    const found = earlier.get(key(cell))
    return found === undefined ? [] : [{ before: found, after: cell }]
  })
  const weights = weightsOf(pairs.map((pair) => pair.after))
  return {
    cells: pairs.map((pair, i) => ({ ...pair, weight: weights[i]! })),
    of: Math.max(before.length, after.length)
  }
}

/** The least number of common cells that a comparison rests on: 5, and half of the larger scan. */
export const leastCommon = ({ of }: Pick<CommonCells, "of">): number => Math.max(5, of / 2)

/** Whether two scans have enough in common to be compared. */
export const areComparable = (common: CommonCells): boolean => common.cells.length >= leastCommon(common)

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
export const changeOver = (cells: ReadonlyArray<CommonCell>, share: Share): Change => {
  const average = (side: "before" | "after") => averageOf(cells.map((cell) => cell[side]), share)!
  const [before, after] = [average("before"), average("after")]
  return { before, after, delta: after - before, nCells: cells.length }
}

/** |z| from which a trend has a direction: 5 % on either side. */
const telling = 1.645

/**
 * The paired trend: difference of the averages over the common cells, with z = Σd / √Σd² of the weighted differences per
 * cell (the sign-flip test: exact under "no change", needs one sample only). With all cells in common, `delta` is the
 * difference of the two scores. Null when too few cells are common.
 */
export const pairedTrend = (common: CommonCells, share: Share): Trend | null => {
  if (!areComparable(common)) return null
  const change = changeOver(common.cells, share)
  const squares = sum(
    common.cells.map(({ after, before, weight }) => (weight * (cellMean(after, share) - cellMean(before, share))) ** 2)
  )
  // Both sums are rounded: what is left of differences that cancel is no difference
  const z = squares < 1e-18 ? 0 : change.delta / Math.sqrt(squares)
  return { ...change, z, direction: z >= telling ? "up" : z <= -telling ? "down" : "flat" }
}
