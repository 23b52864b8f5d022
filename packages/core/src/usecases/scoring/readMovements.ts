import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { isNarrowed } from "../../domain/scoring/asked.ts"
import { countMeasured, type Score } from "../../domain/scoring/Score.ts"
import { maxDetailScans, type ScoreDetail } from "../../domain/scoring/scoreDetail.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { type DetailScan, type EarlierScan, type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import type { Comparison } from "./compareScans.ts"
import { readScoreDetail } from "./readScoreDetail.ts"

/** The parts of a score, its movements, and a prediction of the next score if nothing changes. */
export interface Movements extends Pick<ScoreDetail, "named" | "keywordShares" | "keywords" | "next"> {
  /** The tracked set of the score's version. */
  readonly trackedSet: TrackedSet
  /**
   * Null if there is no earlier scan, or if the earlier scan was measured with other versions; `previous` then names
   * it.
   */
  readonly comparison: Comparison | null
  readonly previous: Scan | null
}

/** Selects the scans within the window for the detail of a score, from the scans before it (`ScoreStore.listBefore`). */
export const selectDetailScans = (
  before: ReadonlyArray<EarlierScan>,
  window: HistoryWindow,
  { scan, score }: ScoredScan
) => {
  const shown = before.filter((one) => isInWindow(window, one.scan.startedAt))
  const otherwise = shown.findIndex(({ measuredCount }) => measuredCount === null)
  const alike = (otherwise === -1 ? shown : shown.slice(0, otherwise))
    .map(({ measuredCount, scan: { id } }): DetailScan => ({ id, measuredCount: measuredCount! }))
  const own: DetailScan = { id: scan.id, measuredCount: countMeasured(score) }
  return {
    previous: shown[0]?.scan ?? null,
    /** Sorted oldest first; the score's own scan is last */
    scans: [...alike.toReversed(), own]
  }
}

/**
 * Finds the scans for the detail of a completed scan's score, within the window. A scan that asked everything is
 * compared only with other such scans.
 */
export const findDetailScans = Effect.fnUntraced(
  function*(organizationId: OrganizationId, window: HistoryWindow, scan: Scan, score: Score) {
    const trackedSet = (yield* (yield* TrackedSetStore).find(organizationId, score.trackedSetVersion))!
    const store = yield* ScoreStore
    const before = yield* store.listBefore(organizationId, scan, score, maxDetailScans - 1, !isNarrowed(scan))
    return { trackedSet, ...selectDetailScans(before, window, { scan, score }) }
  }
)

/** The comparison of a scan with the scan before it; null without a comparable one. */
export const makeComparison = (change: ScoreDetail["change"], previous: Scan | null, after: Scan): Comparison | null =>
  change === null ? null : { before: previous!, after, ...change }

/**
 * Reads how a completed scan's score changed since the scan before it, within the window. Measures nothing: only scans
 * with measurements of the score's own versions are read.
 */
export const readMovements = Effect.fn("readMovements")(
  function*(organizationId: OrganizationId, window: HistoryWindow, scan: Scan, score: Score) {
    const { previous, scans, trackedSet } = yield* findDetailScans(organizationId, window, scan, score)
    const { change, ...detail } = yield* readScoreDetail(organizationId, scans, score)
    const movements: Movements = {
      ...detail,
      trackedSet,
      previous,
      comparison: makeComparison(change, previous, scan)
    }
    return movements
  }
)
