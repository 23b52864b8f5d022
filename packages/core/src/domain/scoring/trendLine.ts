/** The share of voice scan by scan, with the reasons why scans are not comparable. */
import { isSameKind, type Scan, type ScanStatus } from "../scanning/Scan.ts"
import { type Break, findBreaks, type Origin } from "./breaks.ts"
import type { Interval } from "./intervals.ts"
import type { Score } from "./Score.ts"

/** One scan of the trend line. */
export interface TrendPoint {
  readonly scan: Scan
  /** Share of voice, 0–100, unrounded; null for a scan without a score. */
  readonly sov: number | null
  readonly interval: Interval | null
  /**
   * Whether the scan is comparable with the newest scan: same names and rules, and enough common questions. A narrowed
   * scan is not.
   */
  readonly comparable: boolean
  /** What changed since the previous scored scan: the tracked names or the measuring rules. */
  readonly changed: "names" | "rules" | null
  /** Breaks of platforms whose answers are not compared with those of the previous scored scan. */
  readonly breaks: ReadonlyArray<Break>
}

/** A scan with its newest score; null if it has no score. */
export interface LineScan {
  readonly scan: Scan
  readonly score: Score | null
}

const drawn: ReadonlySet<ScanStatus> = new Set(["completed", "failed", "cancelled"])

const findChange = (before: Score | undefined, score: Score): TrendPoint["changed"] =>
  before === undefined
    ? null
    : before.trackedSetVersion !== score.trackedSetVersion
    ? "names"
    : before.measureVersion !== score.measureVersion
    ? "rules"
    : null

/**
 * The trend line of the ended scans of the newest scan's kind (simulated or real), surface and view, oldest first.
 * `comparable` contains the ids of comparable scans; `origins` contains the origins of the answers of scored scans.
 */
export const makeTrendLine = (
  newest: Scan,
  scans: ReadonlyArray<LineScan>,
  comparable: ReadonlySet<string>,
  origins: ReadonlyMap<string, ReadonlyArray<Origin>>
): ReadonlyArray<TrendPoint> => {
  const own = scans
    .filter(({ scan }) => isSameKind(scan, newest) && drawn.has(scan.status))
    .toSorted((a, b) => a.scan.startedAt.getTime() - b.scan.startedAt.getTime() || (a.scan.id < b.scan.id ? -1 : 1))
  let before: Score | undefined
  const originsOf = (score: Score | undefined) => origins.get(score?.scanId ?? "") ?? []
  return own.map(({ scan, score }) => {
    if (score === null) return { scan, sov: null, interval: null, comparable: false, changed: null, breaks: [] }
    const changed = findChange(before, score)
    const breaks = findBreaks(originsOf(before), originsOf(score))
    before = score
    return {
      scan,
      sov: score.avgSov,
      interval: score.uncertainty?.interval ?? null,
      comparable: scan.id === newest.id || comparable.has(scan.id),
      changed,
      breaks
    }
  })
}
