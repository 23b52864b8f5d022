/** Comparing scans: what changed between two of them, beyond noise, and where the next one will be. */
import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { competitorShare, type ScoredCell } from "../../domain/scoring/cells.ts"
import { findCommonCells } from "../../domain/scoring/commonCells.ts"
import { findMovements, findNamedTrends, type NamedTrend, type NamedTrends } from "../../domain/scoring/movements.ts"
import { type Prediction, predictNext } from "../../domain/scoring/prediction.ts"
import { type Score, scoreRow } from "../../domain/scoring/Score.ts"
import { pairedTrend, type Trend } from "../../domain/scoring/trend.ts"
import type { Keyword } from "../../domain/tracking/Keyword.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { NotFound, Rejected } from "../errors.ts"
import { findPreviousScan, measureScan } from "../measuring/measureScan.ts"
import { now } from "../now.ts"
import { findShownScan } from "../scanning/findShownScan.ts"
import { readHeadlines } from "./readHeadlines.ts"
import { readStoredHeadlines } from "./readStoredHeadlines.ts"

/** The measurements that a comparison is made of. */
type Versions = Pick<Score, "measureVersion" | "trackedSetVersion">

/** Two completed scans, on the cells that were answered in both, measured with one tracked set and one set of rules. */
export interface Comparison extends Versions {
  readonly before: Scan
  readonly after: Scan
  /** Cells in common, and those of the larger scan. */
  readonly nCells: number
  readonly ofCells: number
  /** Null when too few cells are common, see `hasEnoughCellsForTrend`. */
  readonly trend: Trend | null
  /** Empty when `trend` is null. */
  readonly platforms: ReturnType<typeof findMovements>["platforms"]
  readonly keywords: ReturnType<typeof findMovements>["keywords"]
  readonly competitors: NamedTrends["competitors"]
  /** Null when `trend` is null. */
  readonly nobody: NamedTrend | null
}

/** A scan and the cells behind its headline. */
export interface MeasuredCells {
  readonly scan: Scan
  readonly cells: ReadonlyArray<ScoredCell>
}

/** Compares two scans whose cells were measured alike. */
export const compareCells = (
  before: MeasuredCells,
  after: MeasuredCells,
  set: TrackedSet,
  version: number
): Comparison => {
  const common = findCommonCells(before.cells, after.cells)
  const trend = pairedTrend(common, scoreRow)
  return {
    before: before.scan,
    after: after.scan,
    measureVersion: version,
    trackedSetVersion: set.version,
    nCells: common.cells.length,
    ofCells: common.of,
    trend,
    ...trend === null ? { platforms: [], keywords: [] } : findMovements(common, scoreRow),
    ...findNamedTrends(common, set.competitors.map(({ id }) => id)) ?? { competitors: [], nobody: null }
  }
}

const findTrackedSet = (organizationId: OrganizationId, version: number) =>
  Effect.flatMap(TrackedSetStore, (store) => Effect.map(store.find(organizationId, version), (set) => set!))

/** How a score moved, and where the next one will be if nothing changes. */
export interface Movements {
  /** The cells of the score's scan. */
  readonly current: MeasuredCells
  /** Those behind the cells of the scans that were read. */
  readonly keywords: ReadonlyArray<Pick<Keyword, "id" | "text">>
  /** Null without an earlier scan, or when it was measured otherwise: then `previous` names it. */
  readonly comparison: Comparison | null
  readonly previous: Scan | null
  readonly next: Prediction | null
}

/** The limit of scans that the noise is estimated from. */
const maxLearningScans = 5

/**
 * Reads how a completed scan's score moved since the scan before it, as far as the window shows scans. Nothing is measured:
 * only scans that have measurements of the score's own versions are read.
 */
export const readMovements = Effect.fn("readMovements")(
  function*(organizationId: OrganizationId, window: HistoryWindow, scan: Scan, score: Score) {
    const scores = yield* ScoreStore
    const set = yield* findTrackedSet(organizationId, score.trackedSetVersion)
    const scans: Array<Scan> = [scan]
    const findShown = (before: Scan) =>
      Effect.map(
        findPreviousScan(organizationId, before),
        (found) => found !== null && isInWindow(window, found.startedAt) ? found : null
      )
    const previous = yield* findShown(scan)
    let at = previous
    while (at !== null && scans.length < maxLearningScans) {
      if ((yield* scores.ofScan(organizationId, at.id, score)) === null) break
      scans.unshift(at)
      at = yield* findShown(at)
    }
    const { cellsOf, keywords } = yield* readStoredHeadlines(organizationId, scans.map(({ id }) => id), score)
    const measured = scans.map((one): MeasuredCells => ({ scan: one, cells: cellsOf(one.id) }))
    const [last, current] = [measured.at(-2), measured.at(-1)!]
    const movements: Movements = {
      current,
      keywords,
      previous,
      comparison: last === undefined ? null : compareCells(last, current, set, score.measureVersion),
      next: predictNext(
        measured.map((one) => one.cells),
        scoreRow,
        set.competitors.map(({ id }) => competitorShare(id))
      )
    }
    return movements
  }
)

/** Finds a completed scan by id, `latest` (the newest completed) or `previous` (the one before it, of its kind). */
const findCompletedScan = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  id: string
) {
  const [latest] = yield* (yield* ScanStore).list(organizationId, { limit: 1, status: "completed" })
  if (id === "latest" || id === "previous") {
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

/** A comparison with the words that it needs. */
export interface ScanComparison extends Comparison {
  readonly trackedSet: TrackedSet
  /** All keywords that have answers in them. */
  readonly keywordTexts: ReadonlyMap<string, string>
  /** Those of the two that had to be measured again with the tracked set and rules of the comparison. */
  readonly measuredAgain: ReadonlyArray<Scan>
}

/** Two scans that may be compared, and what that takes. */
interface ComparisonPlan {
  readonly before: Scan
  readonly after: Scan
  /** The newer of the sets that they are measured with. */
  readonly set: TrackedSet
  /** Those of the two without a measurement of this set and the present rules. */
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
    const found = yield* Effect.forEach([before, after], (scan) => scores.ofScan(organizationId, scan.id))
    const measured = found.flatMap((score) => score === null ? [] : [score.trackedSetVersion])
    // An import may have left both without a score
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

/** The comparison of two scans that are measured alike. */
const comparePlanned = Effect.fnUntraced(
  function*(organizationId: OrganizationId, { after, before, missing, set }: ComparisonPlan) {
    const versions = { measureVersion, trackedSetVersion: set.version }
    const { cellsOf, keywords } = yield* readHeadlines(organizationId, [before.id, after.id], versions)
    const cells = (scan: Scan): MeasuredCells => ({ scan, cells: cellsOf(scan.id) })
    const comparison: ScanComparison = {
      ...compareCells(cells(before), cells(after), set, measureVersion),
      trackedSet: set,
      keywordTexts: new Map(keywords.map(({ id, text }) => [id, text])),
      measuredAgain: missing
    }
    return comparison
  }
)

/**
 * Compares two completed scans, named by id, `latest` or `previous`. Where they were measured with different tracked sets
 * or rules, what is missing is measured again with the newer set and the present rules; older measurements stay. Fails with
 * OutsideWindow for a scan that is older than what the window shows.
 */
export const compareScans = Effect.fn("compareScans")(
  function*(organizationId: OrganizationId, window: HistoryWindow, beforeId: string, afterId: string) {
    const plan = yield* planComparison(organizationId, window, beforeId, afterId)
    const at = yield* now
    yield* Effect.forEach(plan.missing, (scan) => measureScan(organizationId, scan, plan.set, at), { discard: true })
    return yield* comparePlanned(organizationId, plan)
  }
)

/** Two scans, compared as far as they are measured alike. */
export interface StoredComparison {
  readonly before: Scan
  readonly after: Scan
  /** Null where `unmeasured` has to be measured first. */
  readonly comparison: ScanComparison | null
  /** Those that `compareScans` would measure again. */
  readonly unmeasured: ReadonlyArray<Scan>
}

/** Compares as `compareScans` does, but measures nothing. */
export const readComparison = Effect.fn("readComparison")(
  function*(organizationId: OrganizationId, window: HistoryWindow, beforeId: string, afterId: string) {
    const plan = yield* planComparison(organizationId, window, beforeId, afterId)
    const stored: StoredComparison = {
      before: plan.before,
      after: plan.after,
      comparison: plan.missing.length > 0 ? null : yield* comparePlanned(organizationId, plan),
      unmeasured: plan.missing
    }
    return stored
  }
)
