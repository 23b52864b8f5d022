/** Trends as sentences: the same words wherever a person reads them. */
import { minTrendCells } from "./commonCells.ts"
import { roundHalfUp } from "./Score.ts"
import type { Trend } from "./trend.ts"

/** "+2.1", "-18.0", "0.0" */
export const formatSigned = (points: number): string => {
  const rounded = roundHalfUp(Math.abs(points), 1).toFixed(1)
  return rounded === "0.0" ? rounded : `${points > 0 ? "+" : "-"}${rounded}`
}

/**
 * Two scans, as far as a sentence needs them: cells in common, those of the larger one, and what is left of a trend.
 */
export interface ComparedCells {
  readonly nCells: number
  readonly ofCells: number
  /** Null when too few cells are common. */
  readonly trend: Pick<Trend, "delta" | "direction"> | null
}

/** How the share of voice moved, or why that is not known. */
export const describeTrend = ({ nCells, ofCells, trend }: ComparedCells): string =>
  trend === null
    ? `${nCells} of ${ofCells} cells (keyword × platform) were answered in both scans; ` +
      `${Math.ceil(minTrendCells({ of: ofCells }))} are needed to compare them.`
    : `${formatSigned(trend.delta)} points, ${trend.direction === "flat" ? "within noise" : "more than noise"} ` +
      `(${nCells} of ${ofCells} cells in both).`

/** Why an earlier scan, named like "the scan of 2026-01-31", is not compared. */
export const describeNotComparable = (scan: string): string =>
  `${scan} was measured with other names or rules and is not compared`
