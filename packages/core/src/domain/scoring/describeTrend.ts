/** Describes trends in sentences, with the same words on all surfaces. */
import { type Break, describeBreaks } from "./breaks.ts"
import { minTrendCells } from "./commonCells.ts"
import { roundHalfUp } from "./Score.ts"
import type { Trend } from "./trend.ts"

/** "+2.1", "-18.0", "0.0" */
export const formatSigned = (points: number): string => {
  const rounded = roundHalfUp(Math.abs(points), 1).toFixed(1)
  return rounded === "0.0" ? rounded : `${points > 0 ? "+" : "-"}${rounded}`
}

/** The parts of a comparison that the sentence uses. */
export interface ComparedCells {
  readonly nCells: number
  readonly ofCells: number
  /** Null if there are too few common cells. */
  readonly trend: Pick<Trend, "delta" | "direction"> | null
  readonly breaks: ReadonlyArray<Break>
}

/** Describes the change of the share of voice, or why it is unknown. */
export const describeTrend = ({ breaks, nCells, ofCells, trend }: ComparedCells): string =>
  [
    trend === null
      ? `${nCells} of ${ofCells} cells (keyword × platform) ${
        breaks.length === 0 ? "were answered in both scans" : "can be compared"
      }; ${Math.ceil(minTrendCells({ of: ofCells }))} are needed to compare them.`
      : `${formatSigned(trend.delta)} points, ${trend.direction === "flat" ? "within noise" : "more than noise"} ` +
        `(${nCells} of ${ofCells} cells in both).`,
    ...breaks.length === 0 ? [] : [describeBreaks(breaks)]
  ].join(" ")

/** ", 40 without an overview"; empty if the app showed an overview for every question. */
export const describeNoOverview = (count: number): string => count === 0 ? "" : `, ${count} without an overview`

/** Describes why an earlier scan is not compared; `scan` is a name such as "the scan of 2026-01-31". */
export const describeNotComparable = (scan: string): string =>
  `${scan} was measured with other names or rules and is not compared`
