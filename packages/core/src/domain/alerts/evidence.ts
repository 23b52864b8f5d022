/** What alerts rest on (measuring.md, trend and alerts): scans as the rules see them, and how far noise explains them. */
import type { CompetitorId, ScanId } from "../ids.ts"
import { cellMean, rowScore, type ScoredCell, type Share, sum } from "../scoring/cells.ts"
import { areComparable, type CommonCells, commonCells } from "../scoring/trend.ts"

/** A completed scan, measured with the tracked set and the rules of the one that has just completed. */
export interface WatchedScan {
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
  /** Cells that say something: that changed since the scan held against, or where the two are not even. */
  readonly cellsMoved: number
  /** Cells looked at. */
  readonly nCells: number
  /** Of the sign-flip test; null where there is none. */
  readonly z: number | null
}

/** |z| from which chance is no good explanation: 5 % on one side. */
export const telling = 1.645

/** Fewer cells than this tell too little for the gate. */
export const enoughCells = 20

/** The noise is learned from at most so many pairs of scans. */
export const noisePairs = 4

/** Shares are sums of fractions: what differs by less than this does not differ. */
const rounding = 1e-9

/** Whether a share lies below a bound, by more than rounding. */
export const below = (share: number, bound: number): boolean => share < bound - rounding

/** Whether the competitor's score is above the brand's. */
export const isAhead = (scan: Pick<WatchedScan, "sov" | "competitors">, id: CompetitorId): boolean =>
  below(scan.sov, scan.competitors.get(id) ?? 0)

/** Whether two scans can be compared: at least half of the cells of the larger one are in both. */
export const comparable = (earlier: Pick<WatchedScan, "cells">, current: Pick<WatchedScan, "cells">): boolean => {
  const { cells, of } = commonCells(earlier.cells, current.cells)
  return cells.length > 0 && 2 * cells.length >= of
}

/** Whether two scans have answers to the same cells. */
export const askTheSame = (one: WatchedScan, other: WatchedScan): boolean => {
  const { cells } = commonCells(one.cells, other.cells)
  return cells.length === one.cells.length && cells.length === other.cells.length
}

const differences = ({ cells }: CommonCells, share: Share): ReadonlyArray<number> =>
  cells.map(({ after, before, weight }) => weight * (cellMean(after, share) - cellMean(before, share)))

/** Cells of two scans that are not as they were. */
export const movedCells = (common: CommonCells): number =>
  differences(common, rowScore).filter((d) => Math.abs(d) > rounding).length

/**
 * What one scan's share of voice varies by where nothing changes: √(mean d² / 2 / n), d being the difference of a cell
 * between two successive scans, pooled over up to the last 4 pairs. `scans` oldest first. 0 where nothing ever differed.
 */
export const scanNoise = (scans: ReadonlyArray<WatchedScan>): number => {
  const pairs = scans.slice(-noisePairs - 1).flatMap((after, i, all) =>
    i === 0 ? [] : [commonCells(all[i - 1]!.cells, after.cells)]
  ).filter(areComparable)
  const variances = pairs.map((pair) => sum(differences(pair, rowScore).map((d) => d ** 2)) / 2)
  return variances.length === 0 ? 0 : Math.sqrt(sum(variances) / variances.length)
}
