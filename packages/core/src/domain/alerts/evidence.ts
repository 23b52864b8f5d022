/**
 * The evidence of alerts (docs/alerts.md): scans in the form that rules read, and tests that decide whether their
 * differences are noise.
 */
import type { CompetitorId, ScanId } from "../ids.ts"
import { cellMean, type ScoredCell, scoreRow, type Share, sum } from "../scoring/cells.ts"
import { areComparable, type CommonCells, findCommonCells, hasEnoughCellsForTrend } from "../scoring/commonCells.ts"

/** A completed scan, measured with the tracked set and the rules of the scan that has just completed. */
export interface ComparableScan {
  readonly scanId: ScanId
  /** Share of voice, unrounded, 0–100. */
  readonly sov: number
  readonly competitors: ReadonlyMap<CompetitorId, number>
  /** The cells from which the score is computed. */
  readonly cells: ReadonlyArray<ScoredCell>
  /** Whether the scan asked only a part of its questions; absent if it asked all of them. */
  readonly narrowed?: boolean
}

/** The evidence of an alert, which receivers can filter by. */
export interface Evidence {
  /** Whether the noise gate confirms the alert. */
  readonly confirmed: boolean
  /** `low`: fewer than 20 cells, for which the gate requires three scans in a row. */
  readonly confidence: "normal" | "low"
  /** Number of cells with a difference: cells that changed since the compared scan, or in which one side leads. */
  readonly cellsMoved: number
  /** Number of compared cells. */
  readonly nCells: number
  /** The statistic of the sign-flip test; null without a test. */
  readonly z: number | null
}

/** Minimum number of common cells for a single scan to pass the gate; with fewer, it requires three scans in a row. */
export const minGateCells = 20

/** Maximum number of pairs of scans from which the noise is estimated. */
export const maxNoisePairs = 4

/** Rounding error of shares, which are sums of fractions; smaller differences are ignored. */
const roundingTolerance = 1e-9

/** Whether a share is below a bound by more than the rounding error. */
export const isBelow = (share: number, bound: number): boolean => share < bound - roundingTolerance

/** Whether the competitor's score is above the brand's. */
export const isAhead = (scan: Pick<ComparableScan, "sov" | "competitors">, id: CompetitorId): boolean =>
  isBelow(scan.sov, scan.competitors.get(id) ?? 0)

/** Whether two scans asked comparable questions and have enough common cells. */
export const areScansComparable = (
  earlier: Pick<ComparableScan, "cells" | "narrowed">,
  current: Pick<ComparableScan, "cells" | "narrowed">
): boolean =>
  (current.narrowed === true || earlier.narrowed !== true) &&
  areComparable(findCommonCells(earlier.cells, current.cells))

/** Whether two scans have answers to the same cells. */
export const askSameQuestions = (one: ComparableScan, other: ComparableScan): boolean => {
  const { cells } = findCommonCells(one.cells, other.cells)
  return cells.length === one.cells.length && cells.length === other.cells.length
}

const cellDifferences = ({ cells }: CommonCells, share: Share): ReadonlyArray<number> =>
  cells.map(({ after, before, weight }) => weight * (cellMean(after, share) - cellMean(before, share)))

/** Number of cells that changed between two scans. */
export const countMovedCells = (common: CommonCells): number =>
  cellDifferences(common, scoreRow).filter((d) => Math.abs(d) > roundingTolerance).length

/**
 * The standard deviation of one scan's share of voice without a real change: √(mean d² / 2 / n), where d is the
 * difference of a cell between two successive scans, pooled over up to the last 4 pairs. `scans` are sorted oldest
 * first. 0 if nothing ever differed.
 */
export const estimateScanNoise = (scans: ReadonlyArray<ComparableScan>): number => {
  const pairs = scans.slice(-maxNoisePairs - 1).flatMap((after, i, all) =>
    i === 0 ? [] : [findCommonCells(all[i - 1]!.cells, after.cells)]
  ).filter(hasEnoughCellsForTrend)
  const variances = pairs.map((pair) => sum(cellDifferences(pair, scoreRow).map((d) => d ** 2)) / 2)
  return variances.length === 0 ? 0 : Math.sqrt(sum(variances) / variances.length)
}
