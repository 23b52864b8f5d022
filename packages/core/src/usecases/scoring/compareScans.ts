/** Compares two scans and finds the changes that exceed noise. */
import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { describeSurface } from "../../domain/platforms/surface.ts"
import { isOneSeries, type Scan } from "../../domain/scanning/Scan.ts"
import { isNarrowed } from "../../domain/scoring/asked.ts"
import { type CommonCellsComparison, compareCells } from "../../domain/scoring/compareCells.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { NotFound, Rejected } from "../errors.ts"
import { findPreviousScan, measureScan } from "../measuring/measureScan.ts"
import { now } from "../now.ts"
import { findShownScan } from "../scanning/readScan.ts"
import { findNamedTag } from "../tracking/readTags.ts"
import { readHeadlines } from "./readHeadlines.ts"

/** Two completed scans, compared on the cells that both answered, measured with the same tracked set and rules. */
export interface Comparison extends CommonCellsComparison {
  readonly before: Scan
  readonly after: Scan
}

const findTrackedSet = (organizationId: OrganizationId, version: number) =>
  Effect.flatMap(TrackedSetStore, (store) => Effect.map(store.find(organizationId, version), (set) => set!))

/**
 * The newest completed scan of the standard view that asked everything; if no scan of the newest scan's kind did, the
 * newest scan.
 */
const findLatestScan = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const scans = yield* ScanStore
  const [newest] = yield* scans.list(organizationId, { limit: 1, standard: true, status: "completed" })
  if (newest === undefined || !isNarrowed(newest)) return newest
  const [whole] = yield* scans.list(organizationId, {
    limit: 1,
    standard: true,
    status: "completed",
    simulated: newest.simulated,
    wholeOnly: true
  })
  return whole ?? newest
})

/** Finds a completed scan by id, `latest` or `previous` (the earlier scan that the latest one is compared with). */
const findCompletedScan = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  id: string
) {
  if (id === "latest" || id === "previous") {
    const latest = yield* findLatestScan(organizationId)
    const found = latest === undefined || id === "latest" ? latest : yield* findPreviousScan(organizationId, latest)
    if (found === null || found === undefined) return yield* new NotFound({ what: "scan", id })
    return yield* findShownScan(organizationId, window, found.id)
  }
  const scan = yield* findShownScan(organizationId, window, id)
  if (scan.status === "completed") return scan
  return yield* new Rejected({
    field: "scan",
    message: `scan ${scan.id} is ${scan.status}; only completed scans can be compared`
  })
})

/** A comparison with the names and texts for showing it. */
export interface ScanComparison extends Comparison {
  readonly trackedSet: TrackedSet
  /** All keywords that have answers in either scan. */
  readonly keywordTexts: ReadonlyMap<string, string>
  /** The scans of which answers had to be measured again with the tracked set and rules of the comparison. */
  readonly measuredAgain: ReadonlyArray<Scan>
}

/** Two scans that may be compared, and the work that the comparison requires. */
interface ComparisonPlan {
  readonly before: Scan
  readonly after: Scan
  /** The newer of the two tracked sets that the scans are measured with. */
  readonly set: TrackedSet
  /** The scans without a score for this set and the present rules. */
  readonly missing: ReadonlyArray<Scan>
}

const planComparison = Effect.fnUntraced(
  function*(organizationId: OrganizationId, window: HistoryWindow, beforeId: string, afterId: string) {
    const scores = yield* ScoreStore
    const before = yield* findCompletedScan(organizationId, window, beforeId)
    const after = yield* findCompletedScan(organizationId, window, afterId)
    if (before.simulated !== after.simulated) {
      return yield* new Rejected({ field: "scan", message: "a simulated scan cannot be compared with a real one" })
    }
    if (!isOneSeries(before, after)) {
      return yield* new Rejected({
        field: "scan",
        message: `${describeSurface(before)} and ${describeSurface(after)} are not compared: ` +
          "only answers of one surface and one view are"
      })
    }
    const found = yield* Effect.forEach([before, after], (scan) => scores.ofScan(organizationId, scan.id))
    const measured = found.flatMap((score) => score === null ? [] : [score.trackedSetVersion])
    // After an import, it is possible that neither scan has a score
    const newest = Math.max(...measured.length > 0 ? measured : [before.trackedSetVersion, after.trackedSetVersion])
    const set = yield* findTrackedSet(organizationId, newest)
    const versions = { measureVersion, trackedSetVersion: set.version }
    const missing = yield* Effect.filter(
      before.id === after.id ? [after] : [before, after],
      (scan) => Effect.map(scores.ofScan(organizationId, scan.id, versions), (score) => score === null)
    )
    const plan: ComparisonPlan = { before, after, set, missing }
    return plan
  }
)

/** The comparison of two scans once both are measured with the same names and rules. */
const comparePlanned = Effect.fnUntraced(
  function*(organizationId: OrganizationId, { after, before, missing, set }: ComparisonPlan, tag: string | undefined) {
    const versions = { measureVersion, trackedSetVersion: set.version }
    const tagged = tag === undefined ? undefined : yield* findNamedTag(organizationId, tag)
    const { cellsOf, keywords } = yield* readHeadlines(organizationId, [before.id, after.id], versions, tagged)
    const comparison: ScanComparison = {
      before,
      after,
      ...compareCells([cellsOf(before.id), cellsOf(after.id)], set, measureVersion),
      trackedSet: set,
      keywordTexts: new Map(keywords.map(({ id, text }) => [id, text])),
      measuredAgain: missing
    }
    return comparison
  }
)

/**
 * Compares two completed scans, named by id, `latest` or `previous`; the latter two are scans that asked everything. If
 * the scans were measured with different tracked sets or rules, missing measurements are made with the newer set and
 * the present rules; older measurements stay. Fails with OutsideWindow for a scan older than the window. With a `tag`,
 * compares only the keywords that have it now, and fails with NotFound if no keyword has it.
 */
export const compareScans = Effect.fn("compareScans")(
  function*(organizationId: OrganizationId, window: HistoryWindow, beforeId: string, afterId: string, tag?: string) {
    const plan = yield* planComparison(organizationId, window, beforeId, afterId)
    const at = yield* now
    yield* Effect.forEach(plan.missing, (scan) => measureScan(organizationId, scan, plan.set, at), { discard: true })
    return yield* comparePlanned(organizationId, plan, tag)
  }
)

/** Two scans, with their comparison if both are measured with the same names and rules. */
export interface StoredComparison {
  readonly before: Scan
  readonly after: Scan
  /** Null if the scans in `unmeasured` must be measured first. */
  readonly comparison: ScanComparison | null
  /** The scans of which `compareScans` would measure answers again. */
  readonly unmeasured: ReadonlyArray<Scan>
}

/** Compares like `compareScans`, but measures nothing. */
export const readComparison = Effect.fn("readComparison")(
  function*(organizationId: OrganizationId, window: HistoryWindow, beforeId: string, afterId: string, tag?: string) {
    const plan = yield* planComparison(organizationId, window, beforeId, afterId)
    const stored: StoredComparison = {
      before: plan.before,
      after: plan.after,
      comparison: plan.missing.length > 0 ? null : yield* comparePlanned(organizationId, plan, tag),
      unmeasured: plan.missing
    }
    return stored
  }
)
