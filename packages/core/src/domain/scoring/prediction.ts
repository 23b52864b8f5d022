/** Where the next scan of the same keywords will be if nothing changes (docs/measuring.md). */
import { cellMean, type ScoredCell, type Share, sum } from "./cells.ts"
import { type CommonCells, findCommonCells, hasEnoughCellsForTrend } from "./commonCells.ts"
import { type Interval, intervalAround } from "./intervals.ts"
import { t95, z95 } from "./studentT.ts"
import { measureChange } from "./trend.ts"

/** What the next scan will show, in 95 of 100 cases, if nothing changes. */
export interface Prediction extends Interval {
  /** The middle: mean of the last two scans. */
  readonly expected: number
  /** Cells that the last two scans have in common: what is predicted is their average. */
  readonly nCells: number
}

/** The limit of pairs of scans that the noise is estimated from. */
const maxPairs = 4
/** The limit of degrees of freedom that the other tracked entities add. */
const maxBorrowedDf = 8

/** A variance of the average, with how much it is known from (degrees of freedom; 0 = from nothing). */
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
 * Most cells do not change from scan to scan, so the variance rests on the few that do. Satterthwaite's degrees of
 * freedom, (Σd²)² / Σd⁴, count just those. `scans` are the pairs that the differences are of.
 */
const estimateNoise = (differences: ReadonlyArray<number>, scans: number): Noise => {
  const squares = sum(differences.map((d) => d ** 2))
  if (squares < 1e-12) return { variance: 0, df: 0 }
  return { variance: squares / 2 / scans, df: squares ** 2 / sum(differences.map((d) => d ** 4)) }
}

/** Half the squared change of the average if 3 cells changed by as much as entities usually have of an answer. */
const varianceByRuleOfThree = ({ cells }: CommonCells, shares: ReadonlyArray<Share>): number => {
  const values = shares.flatMap((share) =>
    cells.flatMap(({ after, before }) => [before, after].map((cell) => cellMean(cell, share)))
  )
  const positive = values.filter((value) => value > 0)
  const size = positive.length === 0 ? 100 ** 2 : sum(positive.map((value) => value ** 2)) / positive.length
  return 3 / 2 * size * sum(cells.map((cell) => cell.weight ** 2)) / cells.length
}

/**
 * 95 % prediction interval for the next scan of an entity's share. `scans` hold the cells of at least two scans that
 * were measured alike, oldest first; `others` are the shares of the other tracked entities. Null when the last two
 * scans have too few cells in common.
 *
 * Middle: the mean A of the last two scans. Variance: 1.5 σ², where σ² is what one scan's average varies by (σ² of the
 * next scan, σ²/2 of the mean of two). σ² comes from the differences between successive scans, of at most four pairs.
 * Two scans give few differences that are not 0, so that alone would be too narrow at random; the noise of the other
 * tracked entities in the same answers is drawn in, in proportion to their shares, and the two are weighted by their
 * degrees of freedom, those drawn in counting 8 at most (a moderated variance: Smyth 2004). Where nothing at all
 * changed, or the entity was never named, 3 cells are taken to change (rule of three).
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
  if (!hasEnoughCellsForTrend(newest)) return null
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
