/** Measuring and scoring one scan with one tracked set: when it completes, and again when the set has changed. */
import { Effect } from "effect"
import type { AnswerId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { brandedAmong, measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { type ScoredRow, scoreScan } from "../../domain/scoring/Score.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { IcuVersion } from "../../ports/IcuVersion.ts"
import { maxPageBytes, MeasurementStore, type Unmeasured } from "../../ports/MeasurementStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { readKeywords } from "../tracking/reads.ts"
import { measurePage, type Unmeasurable } from "./measurePage.ts"
import { completionDeadline, makeMeasurer, type Measurer } from "./measureStored.ts"

/** Answers of a page, and rows of one insert. */
export const answersPerPage = 256

/** Whether the answers of a scan go on behind this page: it is full of answers, or of text. */
export const isFull = (page: ReadonlyArray<Unmeasured>): boolean =>
  page.length >= answersPerPage ||
  page.reduce((sum, { rawResponse }) => sum + Buffer.byteLength(rawResponse), 0) >= maxPageBytes

/**
 * Measures what has no measurement of the present rules and this tracked set yet, page by page: each page is stored by
 * a statement of its own. Others may do the same meanwhile. What cannot be measured is noted in `unmeasurable`, and
 * what is noted there is not tried. `onMeasured` receives the number of answers of each stored page.
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
    if (!isFull(page)) return
    after = page.at(-1)!.answerId
  }
})

/** The keywords that a scan asks, and which of them name the brand themselves. */
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
 * The score that all answers of a completed scan make, measured with the present rules and this tracked set.
 * `listKeywords`: `readKeywords`, for who scores many scans once for all of them.
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
  return scoreScan({
    scanId: scan.id,
    measureVersion,
    trackedSetVersion: set.version,
    icuVersion: yield* IcuVersion,
    rows,
    keywordIds: keywords.map((keyword) => keyword.id),
    brandedKeywords: branded,
    competitorIds: set.competitors.map((competitor) => competitor.id),
    answers,
    // No cell is open or cancelled any more; exports of earlier releases brought no failed ones back
    failedCount: Math.max(0, scan.cellCount - answers)
  })
})

/** Adds the score of a scan whose answers are all measured with the present rules and this tracked set. */
export const scoreMeasured = Effect.fnUntraced(
  function*(organizationId: OrganizationId, scan: Scan, set: TrackedSet, at: Date) {
    const versions = { measureVersion, trackedSetVersion: set.version }
    const rows = yield* (yield* MeasurementStore).rows(organizationId, scan.id, versions)
    const score = yield* scoreRows(organizationId, scan, set, rows)
    yield* (yield* ScoreStore).insert(organizationId, score, at)
  }
)

/**
 * Measures the answers of a scan with this tracked set and the present rules, and adds the score of these versions.
 * What exists of them is left as it is, so it may be repeated, also by several at once.
 */
export const measureScan = Effect.fn("measureScan")(
  function*(organizationId: OrganizationId, scan: Scan, set: TrackedSet, at: Date) {
    yield* measureMissing(organizationId, scan.id, yield* makeMeasurer(set, completionDeadline), new Map())
    yield* scoreMeasured(organizationId, scan, set, at)
  }
)

/** The completed scan before this one, of its kind (simulated or real); null for the first. */
export const findPreviousScan = Effect.fnUntraced(function*(organizationId: OrganizationId, scan: Scan) {
  const [found] = yield* (yield* ScanStore).list(organizationId, {
    limit: 1,
    status: "completed",
    simulated: scan.simulated,
    before: scan
  })
  return found ?? null
})

/**
 * Measures the scan before this one with this scan's tracked set, if it has not been: so that a trend compares like
 * with like after names, competitors or rules have changed.
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
