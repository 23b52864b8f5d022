/** The cells that two scans have in common, and whether that is enough to compare the scans. */
import { type ScoredCell, weighCells } from "./cells.ts"

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

/** By this a cell of two scans is the same. */
export const cellKey = (cell: Pick<ScoredCell, "platform" | "keywordId">): string =>
  `${cell.platform} ${cell.keywordId}`

/** Pairs the cells of two scans that were measured alike (same tracked set, same measure version). */
export const findCommonCells = (before: ReadonlyArray<ScoredCell>, after: ReadonlyArray<ScoredCell>): CommonCells => {
  const earlier = new Map(before.map((cell) => [cellKey(cell), cell]))
  const pairs = after.flatMap((cell) => {
    const found = earlier.get(cellKey(cell))
    return found === undefined ? [] : [{ before: found, after: cell }]
  })
  const weights = weighCells(pairs.map((pair) => pair.after))
  return {
    cells: pairs.map((pair, i) => ({ ...pair, weight: weights[i]! })),
    of: Math.max(before.length, after.length)
  }
}

/**
 * Whether two scans are comparable: at least half of the cells of the larger one are in both. Alert rules compare such
 * scans, however few cells that are: their literal conditions need no test, and the noise gate has a bound of its own.
 */
export const areComparable = ({ cells, of }: CommonCells): boolean => cells.length > 0 && 2 * cells.length >= of

/**
 * The fewest cells that the sign-flip test says anything about: 5 differences that all point the same way come by
 * chance in 1 of 32 cases, below the 5 % on one side that a trend asks for; 4 come in 1 of 16.
 */
const minTestedCells = 5

/** The common cells that a trend asks for, given those `of` the larger scan: what is comparable, and can be tested. */
export const minTrendCells = ({ of }: Pick<CommonCells, "of">): number => Math.max(minTestedCells, of / 2)

/** Whether two scans with so many cells in common, of so many in the larger one, are comparable and can be tested. */
export const haveEnoughCellsForTrend = (common: number, of: number): boolean => common >= minTrendCells({ of })

/** The same of cells that are at hand. */
export const hasEnoughCellsForTrend = ({ cells, of }: CommonCells): boolean => haveEnoughCellsForTrend(cells.length, of)
