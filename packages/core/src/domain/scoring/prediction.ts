/** Predicts the next scan of the same keywords if nothing changes (docs/measuring.md). */
import { cellMean, type ScoredCell, type Share, sum } from "./cells.ts"
import { type CommonCells, findCommonCells, hasEnoughCellsForTrend } from "./commonCells.ts"
import { type Interval, intervalAround } from "./intervals.ts"
import { t95, z95 } from "./studentT.ts"
import { measureChange } from "./trend.ts"

/** The range that contains the result of the next scan in 95 of 100 cases, if nothing changes. */
export interface Prediction extends Interval {
  /** The middle of the range: the mean of the last two scans. */
  readonly expected: number
  /** Number of common cells of the last two scans, whose average is predicted. */
  readonly nCells: number
}

/** Maximum number of pairs of scans for estimating the noise. */
const maxPairs = 4
/** Maximum number of degrees of freedom that the other tracked entities add. */
const maxBorrowedDf = 8

/** A variance of the average with its degrees of freedom (0 if there is no data). */
interface Noise {
  readonly variance: number
  readonly df: number
}

/**
 * Differences between the scans of each pair, one per keyword (platforms answer the same question alike), weighted as
 * in the average: half the sum of their squares is the variance of one scan's average.
 */
const keywordDifferences = (pairs: ReadonlyArray<CommonCells>, share: Share): ReadonlyArray<number> =>
  pairs.flatMap(({ cells }) =>
    [...Map.groupBy(cells, (cell) => cell.after.keywordId).values()].map((own) =>
      sum(own.map((cell) => cell.weight * (cellMean(cell.after, share) - cellMean(cell.before, share))))
    )
  )

/**
 * Estimates the variance of the average. Most cells do not change between scans, so the estimate depends on the few
 * that do. Satterthwaite's degrees of freedom, (Σd²)² / Σd⁴, count only these. `scans` is the number of pairs that the
 * differences come from.
 */
const estimateNoise = (differences: ReadonlyArray<number>, scans: number): Noise => {
  const squares = sum(differences.map((d) => d ** 2))
  if (squares < 1e-12) return { variance: 0, df: 0 }
  return { variance: squares / 2 / scans, df: squares ** 2 / sum(differences.map((d) => d ** 4)) }
}

/**
 * The assumed variance if no cell changed: half the squared change of the average if 3 cells changed by the usual share
 * of an entity in an answer.
 */
const varianceByRuleOfThree = ({ cells }: CommonCells, shares: ReadonlyArray<Share>): number => {
  const values = shares.flatMap((share) =>
    cells.flatMap(({ after, before }) => [before, after].map((cell) => cellMean(cell, share)))
  )
  const positive = values.filter((value) => value > 0)
  const size = positive.length === 0 ? 100 ** 2 : sum(positive.map((value) => value ** 2)) / positive.length
  return 3 / 2 * size * sum(cells.map((cell) => cell.weight ** 2)) / cells.length
}

/**
 * 95 % prediction interval for an entity's share in the next scan. `scans` contains the cells of at least two
 * comparable scans, oldest first; `others` are the shares of the other tracked entities. Null if the last two scans
 * have too few common cells, or if a platform has a break between them, because the next scan contains that platform's
 * answers too.
 *
 * Middle: the mean A of the last two scans. Variance: 1.5 σ², where σ² is the variance of one scan's average (σ² for
 * the next scan, σ²/2 for the mean of two). σ² comes from the differences between successive scans, of at most four
 * pairs. Two scans have few differences other than 0, so these alone would sometimes give too narrow an interval. The
 * noise of the other tracked entities in the same answers is therefore added in proportion to their shares. Both are
 * weighted by their degrees of freedom, at most 8 for the others (a moderated variance: Smyth 2004). If nothing
 * changed, or the entity was never named, 3 cells are assumed to change (rule of three).
 */
export const predictNext = (
  scans: ReadonlyArray<ReadonlyArray<ScoredCell>>,
  share: Share,
  others: ReadonlyArray<Share>
): Prediction | null => {
  const pairs = scans.slice(-maxPairs - 1).flatMap((after, i, all) =>
    i === 0 ? [] : [findCommonCells(all[i - 1]!, after)]
  )
    .filter(hasEnoughCellsForTrend)
  const newest = findCommonCells(scans.at(-2) ?? [], scans.at(-1) ?? [])
  if (newest.breaks.length > 0 || !hasEnoughCellsForTrend(newest)) return null
  const meanLevelOf = (one: Share): number => {
    const { after, before } = measureChange(newest.cells, one)
    return (before + after) / 2
  }
  const expected = meanLevelOf(share)
  const own = estimateNoise(keywordDifferences(pairs, share), pairs.length)
  const pool = estimateNoise(others.flatMap((other) => keywordDifferences(pairs, other)), pairs.length)
  const named = sum(others.map(meanLevelOf))
  const borrowed: Noise = named === 0
    ? { variance: 0, df: 0 }
    : { variance: pool.variance * expected / named, df: Math.min(maxBorrowedDf, pool.df) }
  const df = own.df + borrowed.df
  const half = df === 0 || expected === 0
    ? z95 * Math.sqrt(1.5 * varianceByRuleOfThree(newest, [share, ...others]))
    : t95(df) * Math.sqrt(1.5 * (own.df * own.variance + borrowed.df * borrowed.variance) / df)
  return { expected, nCells: newest.cells.length, ...intervalAround(expected, half) }
}
