/** Estimates how often figures and alerts for an organization's own questions would be wrong if nothing changed. */
import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { addNoise, fitPanel, type NoiseCounts, simulateNoise } from "../../domain/scoring/noise.ts"
import { makeRandom } from "../../domain/scoring/seededRandom.ts"
import { NoCompletedScan } from "../errors.ts"
import { findDropThreshold } from "./planPanel.ts"
import { readHeadlines } from "./readHeadlines.ts"
import { findDetailScans } from "./readMovements.ts"
import { readHeadlineHistory } from "./reads.ts"

/** The result of simulating the organization's own questions. */
export interface NoiseAudit extends NoiseCounts {
  /**
   * The scan whose questions are simulated; `scans` is the number of scans used to estimate how often
   * answers name each entity.
   */
  readonly scan: Scan
  readonly scans: number
  readonly cells: number
  /** Threshold of `sov_drop`; null if the rule is off or the true share of voice was simulated. */
  readonly threshold: number | null
  readonly periods: number
}

/**
 * Simulates `periods` periods of `weeks` weekly scans in which nothing changes: the questions of the newest scan, with
 * answers that name the brand and competitors as often as in up to five scans that were measured the same way.
 * `onPeriod` is called after each period. The same archive gives the same result. Fails with NoCompletedScan if no scan
 * has completed.
 */
export const auditNoise = Effect.fn("auditNoise")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  { periods, weeks }: { readonly periods: number; readonly weeks: number },
  onPeriod: () => void
) {
  const { scans: [latest] } = yield* readHeadlineHistory(organizationId, 1, window.since)
  if (latest === undefined) return yield* new NoCompletedScan()
  const { scans, trackedSet } = yield* findDetailScans(organizationId, window, latest.scan, latest.score)
  const scanIds = scans.map(({ id }) => id)
  const { cellsOf } = yield* readHeadlines(organizationId, scanIds, latest.score)
  const threshold = yield* findDropThreshold(organizationId)
  const panel = fitPanel(scanIds.map(cellsOf), trackedSet.competitors.map(({ id }) => id))
  const random = makeRandom(1)
  let counts = simulateNoise(panel, { random, scans: weeks, threshold })
  onPeriod()
  for (let done = 2; done <= periods; done++) {
    counts = addNoise(counts, simulateNoise(panel, { random, scans: weeks, threshold }))
    onPeriod()
    yield* Effect.yieldNow
  }
  const found: NoiseAudit = {
    ...counts,
    scan: latest.scan,
    scans: scanIds.length,
    cells: panel.cells.length,
    threshold,
    periods
  }
  return found
})
