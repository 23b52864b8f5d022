/** What alerts rest on (docs/alerts.md): scans as the rules see them, and how far noise explains their differences. */
import type { CompetitorId, ScanId } from "../ids.ts"
import { cellMean, type ScoredCell, scoreRow, type Share, sum } from "../scoring/cells.ts"
import { areComparable, type CommonCells, findCommonCells, hasEnoughCellsForTrend } from "../scoring/commonCells.ts"

/** A completed scan, measured with the tracked set and the rules of the scan that has just completed. */
export interface ComparableScan {
  readonly scanId: ScanId
  /** Unrounded, 0–100. */
  readonly sov: number
  readonly competitors: ReadonlyMap<CompetitorId, number>
  /** The cells behind the score. */
  readonly cells: ReadonlyArray<ScoredCell>
}

/** What an alert rests on, so that a receiver can filter. */
export interface Evidence {
  /** Whether the noise gate confirms it. */
  readonly confirmed: boolean
  /** `low` = fewer than 20 cells: the gate then asks for two scans in a row. */
  readonly confidence: "normal" | "low"
  /** Cells that say something: that changed since the scan compared with, or where the two are not even. */
  readonly cellsMoved: number
  /** Cells that were compared. */
  readonly nCells: number
  /** Of the sign-flip test; null where there is none. */
  readonly z: number | null
}

/** With fewer cells in common than this the gate asks for two scans in a row. */
export const minGateCells = 20

/** The noise is learned from at most so many pairs of scans. */
export const maxNoisePairs = 4

/** Shares are sums of fractions: what differs by less than this does not differ. */
const roundingTolerance = 1e-9

/** Whether a share lies below a bound, by more than rounding. */
export const isBelow = (share: number, bound: number): boolean => share < bound - roundingTolerance

/** Whether the competitor's score is above the brand's. */
export const isAhead = (scan: Pick<ComparableScan, "sov" | "competitors">, id: CompetitorId): boolean =>
  isBelow(scan.sov, scan.competitors.get(id) ?? 0)

/** Whether two scans are comparable, which is about the cells that both have. */
export const areScansComparable = (
  earlier: Pick<ComparableScan, "cells">,
  current: Pick<ComparableScan, "cells">
): boolean => areComparable(findCommonCells(earlier.cells, current.cells))

/** Whether two scans have answers to the same cells. */
export const askSameQuestions = (one: ComparableScan, other: ComparableScan): boolean => {
  const { cells } = findCommonCells(one.cells, other.cells)
  return cells.length === one.cells.length && cells.length === other.cells.length
}

const cellDifferences = ({ cells }: CommonCells, share: Share): ReadonlyArray<number> =>
  cells.map(({ after, before, weight }) => weight * (cellMean(after, share) - cellMean(before, share)))

/** Cells of two scans that are not as they were. */
export const countMovedCells = (common: CommonCells): number =>
  cellDifferences(common, scoreRow).filter((d) => Math.abs(d) > roundingTolerance).length

/**
 * What one scan's share of voice varies by where nothing changes: √(mean d² / 2 / n), d being the difference of a cell
 * between two successive scans, pooled over up to the last 4 pairs. `scans` oldest first. 0 where nothing ever
 * differed.
 */
export const estimateScanNoise = (scans: ReadonlyArray<ComparableScan>): number => {
  const pairs = scans.slice(-maxNoisePairs - 1).flatMap((after, i, all) =>
    i === 0 ? [] : [findCommonCells(all[i - 1]!.cells, after.cells)]
  ).filter(hasEnoughCellsForTrend)
  const variances = pairs.map((pair) => sum(cellDifferences(pair, scoreRow).map((d) => d ** 2)) / 2)
  return variances.length === 0 ? 0 : Math.sqrt(sum(variances) / variances.length)
}
