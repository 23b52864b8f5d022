/** The common cells of two scans, and whether they suffice for a comparison. */
import { type Break, findBreaks, listOrigins } from "./breaks.ts"
import { type ScoredCell, weighCells } from "./cells.ts"

/** One keyword on one platform that both scans answered, without a break of the platform between them. */
export interface CommonCell {
  readonly before: ScoredCell
  readonly after: ScoredCell
  /** Weight in the average over the common cells; the weights add up to 1. */
  readonly weight: number
}

/** The common cells of two scans, and the number of cells of the larger scan. */
export interface CommonCells {
  readonly cells: ReadonlyArray<CommonCell>
  readonly of: number
  /** Breaks of platforms whose answers are therefore not compared. */
  readonly breaks: ReadonlyArray<Break>
}

/** The key by which cells of two scans match. */
export const cellKey = (cell: Pick<ScoredCell, "platform" | "keywordId">): string =>
  `${cell.platform} ${cell.keywordId}`

type Cells = ReadonlyArray<ScoredCell>

/** Returns a function that computes the result for each array of cells once. */
const oncePerScan = <Result>(compute: (cells: Cells) => Result) => {
  const known = new WeakMap<Cells, Result>()
  return (cells: Cells): Result => {
    const found = known.get(cells) ?? compute(cells)
    known.set(cells, found)
    return found
  }
}

const originsOf = oncePerScan((cells) => listOrigins(cells.flatMap(({ rows }) => rows)))
const byKey = oncePerScan((cells) => new Map(cells.map((cell) => [cellKey(cell), cell])))

const pairCells = (before: Cells, after: Cells): CommonCells => {
  const breaks = findBreaks(originsOf(before), originsOf(after))
  const broken = new Set(breaks.map(({ platform }) => platform))
  const earlier = byKey(before)
  const pairs = after.flatMap((cell) => {
    const found = broken.has(cell.platform) ? undefined : earlier.get(cellKey(cell))
    return found === undefined ? [] : [{ before: found, after: cell }]
  })
  const weights = weighCells(pairs.map((pair) => pair.after))
  return {
    cells: pairs.map((pair, i) => ({ ...pair, weight: weights[i]! })),
    of: Math.max(before.length, after.length),
    breaks
  }
}

const pairsWith = oncePerScan((after) => oncePerScan((before) => pairCells(before, after)))

/**
 * Pairs the cells of two scans with the same tracked set and measure version. Computes each pair of arrays once,
 * because an alert rule compares the same scans for each competitor.
 */
export const findCommonCells = (before: Cells, after: Cells): CommonCells => pairsWith(after)(before)

/**
 * Whether two scans are comparable: at least half of the cells of the larger scan are in both. Alert rules compare such
 * scans even if they have few cells: literal conditions need no test, and the noise gate has its own minimum.
 */
export const areComparable = ({ cells, of }: CommonCells): boolean => cells.length > 0 && 2 * cells.length >= of

/**
 * Minimum number of cells for the sign-flip test. By chance, 5 differences have the same sign in 1 of 32 cases, which
 * is below the one-sided 5 % of a trend; 4 differences have it in 1 of 16.
 */
const minTestedCells = 5

/**
 * Minimum number of common cells for a trend if the larger scan has `of` cells, so that the scans can be compared and
 * tested.
 */
export const minTrendCells = ({ of }: Pick<CommonCells, "of">): number => Math.max(minTestedCells, of / 2)

/** Whether `common` cells suffice for a trend if the larger scan has `of` cells. */
export const haveEnoughCellsForTrend = (common: number, of: number): boolean => common >= minTrendCells({ of })

/** Whether these cells suffice for a trend. */
export const hasEnoughCellsForTrend = ({ cells, of }: CommonCells): boolean => haveEnoughCellsForTrend(cells.length, of)
