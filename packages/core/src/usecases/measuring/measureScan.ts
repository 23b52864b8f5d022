/** Measures and scores one scan with one tracked set, when it completes and again after the set has changed. */
import { Effect } from "effect"
import type { AnswerId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { brandedAmong, measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { isNarrowed } from "../../domain/scoring/asked.ts"
import { sum } from "../../domain/scoring/cells.ts"
import { type ScoredRow, scoreScan } from "../../domain/scoring/Score.ts"
import { findTopics } from "../../domain/scoring/topics.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { IcuVersion } from "../../ports/IcuVersion.ts"
import { maxPageBytes, MeasurementStore, type Unmeasured } from "../../ports/MeasurementStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { readKeywords } from "../tracking/reads.ts"
import { measurePage, type Unmeasurable } from "./measurePage.ts"
import { completionDeadline, makeMeasurer, type Measurer } from "./measureStored.ts"

/** Number of answers per page, and of rows per insert. */
export const answersPerPage = 256

/** Whether a scan may have answers after this page: the page is full, either with `limit` answers or with text. */
export const isPageFull = (page: ReadonlyArray<Unmeasured>, limit = answersPerPage): boolean =>
  page.length >= limit ||
  page.reduce((sum, { rawResponse }) => sum + Buffer.byteLength(rawResponse), 0) >= maxPageBytes

/**
 * Measures every answer that has no measurement of the present rules and this tracked set, page by page, with one
 * statement to store each page. Safe to run concurrently. Answers that cannot be measured are added to `unmeasurable`;
 * answers in it are skipped. `onMeasured` receives the number of answers of each stored page.
 */
export const measureMissing = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  scanId: ScanId,
  measurer: Measurer,
  unmeasurable: Unmeasurable,
  onMeasured?: (answers: number) => void
) {
  const measurements = yield* MeasurementStore
  const versions = { measureVersion, trackedSetVersion: measurer.set.version }
  let after: AnswerId | undefined
  while (true) {
    const page = yield* measurements.unmeasured(organizationId, scanId, versions, answersPerPage, after)
    const measured = yield* measurePage(organizationId, measurer, page, unmeasurable)
    onMeasured?.(measured)
    if (!isPageFull(page)) return
    after = page.at(-1)!.answerId
  }
})

/** The keywords that a scan asks. `branded` are the keywords that name the brand. */
const listAskedKeywords = Effect.fnUntraced(
  function*(
    organizationId: OrganizationId,
    scanId: ScanId,
    set: TrackedSet,
    listKeywords: ReturnType<typeof readKeywords>
  ) {
    const asked = yield* (yield* CellStore).keywordIds(organizationId, scanId)
    const keywords = (yield* listKeywords).filter((keyword) => asked.has(keyword.id))
    return { keywords, branded: brandedAmong(set, keywords) }
  }
)

/**
 * The score of a completed scan over all its answers, measured with the present rules and this tracked set. A caller
 * that scores many scans should pass a cached `listKeywords` (`readKeywords`).
 */
export const scoreRows = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  scan: Scan,
  set: TrackedSet,
  rows: ReadonlyArray<ScoredRow>,
  listKeywords = readKeywords(organizationId)
) {
  const versions = { measureVersion, trackedSetVersion: set.version }
  const { answers } = yield* (yield* MeasurementStore).counts(organizationId, scan.id, versions)
  const { branded, keywords } = yield* listAskedKeywords(organizationId, scan.id, set, listKeywords)
  const counts = yield* (yield* CellStore).counts(organizationId, scan.id)
  const noOverviewCount = sum(counts.map(({ noOverview }) => noOverview))
  return scoreScan({
    scanId: scan.id,
    measureVersion,
    trackedSetVersion: set.version,
    icuVersion: yield* IcuVersion,
    rows,
    keywordIds: keywords.map((keyword) => keyword.id),
    brandedKeywords: branded,
    topics: findTopics(keywords, set),
    competitorIds: set.competitors.map((competitor) => competitor.id),
    answers,
    // No cell is open or cancelled by now; older exports do not contain failed cells
    failedCount: Math.max(0, scan.cellCount - answers - noOverviewCount),
    noOverviewCount
  })
})

/** Adds the score of a scan. All of its answers must be measured with the present rules and this tracked set. */
export const scoreMeasured = Effect.fnUntraced(
  function*(organizationId: OrganizationId, scan: Scan, set: TrackedSet, at: Date) {
    const versions = { measureVersion, trackedSetVersion: set.version }
    const rows = yield* (yield* MeasurementStore).rows(organizationId, scan.id, versions)
    const score = yield* scoreRows(organizationId, scan, set, rows)
    yield* (yield* ScoreStore).insert(organizationId, score, at)
  }
)

/**
 * Measures the answers of a scan with this tracked set and the present rules, and adds their score. Existing
 * measurements stay, so it may be repeated, even concurrently.
 */
export const measureScan = Effect.fn("measureScan")(
  function*(organizationId: OrganizationId, scan: Scan, set: TrackedSet, at: Date) {
    yield* measureMissing(organizationId, scan.id, yield* makeMeasurer(set, completionDeadline), new Map())
    yield* scoreMeasured(organizationId, scan, set, at)
  }
)

/**
 * The last completed scan before this scan of the same kind (simulated or real), surface and view; null for the first
 * one. If this scan asked everything, the last one that also did.
 */
export const findPreviousScan = Effect.fnUntraced(function*(organizationId: OrganizationId, scan: Scan) {
  const [found] = yield* (yield* ScanStore).list(organizationId, {
    limit: 1,
    status: "completed",
    simulated: scan.simulated,
    before: scan,
    series: scan,
    wholeOnly: !isNarrowed(scan)
  })
  return found ?? null
})

/**
 * Measures the previous scan with this scan's tracked set if it is not measured with it yet, so that a trend compares
 * like with like after names, competitors or rules have changed.
 */
export const measurePrevious = Effect.fnUntraced(
  function*(organizationId: OrganizationId, scan: Scan, set: TrackedSet, at: Date) {
    const previous = yield* findPreviousScan(organizationId, scan)
    if (previous === null) return
    const versions = { measureVersion, trackedSetVersion: set.version }
    if ((yield* (yield* ScoreStore).ofScan(organizationId, previous.id, versions)) !== null) return
    yield* measureScan(organizationId, previous, set, at)
  }
)
