import { Effect } from "effect"
import type { Leaf } from "../../domain/archive/Seal.ts"
import { EventId, type OrganizationId, type ScanId } from "../../domain/ids.ts"
import { type CellCounts, sumCounts } from "../../domain/scanning/Cell.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { roundOrNull } from "../../domain/scoring/Score.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { QuotaLedger } from "../../ports/QuotaLedger.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { findContradictionsForAlerts } from "../alerts/contradictedFacts.ts"
import { findNamesForAlerts } from "../alerts/findUntrackedNames.ts"
import { raiseAlerts, raiseUngated } from "../alerts/raiseAlerts.ts"
import { sealAnswers } from "../archive/sealAnswers.ts"
import { recordActs } from "../audit/recordActs.ts"
import type { Unmeasurable } from "../measuring/measurePage.ts"
import { scoreMeasured } from "../measuring/measureScan.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { keepScoreDetail } from "../scoring/keepScoreDetail.ts"
import { keepActions } from "../sources/readActions.ts"
import { publishEvent } from "../webhooks/publishEvent.ts"
import { readEventLabels } from "../webhooks/readEventLabels.ts"
import { measureForCompletion } from "./measureForCompletion.ts"
import { publishPlatformChanges } from "./platformChanges.ts"

/** The input of each step of completion. */
interface ScanEnding {
  readonly organizationId: OrganizationId
  readonly scan: Scan
  readonly counts: ReadonlyArray<CellCounts>
  readonly at: Date
}

const readLeaves = Effect.fnUntraced(function*({ organizationId, scan }: ScanEnding) {
  return yield* (yield* ArchiveStore).leaves(organizationId, scan.id)
})

/** Seals the scan's answers into the organization's chain. */
const sealScan = (
  { at, organizationId, scan }: ScanEnding,
  status: Exclude<Scan["status"], "running">,
  leaves: ReadonlyArray<Leaf>
) => sealAnswers(organizationId, scan, status, leaves, at)

/** Returns the scan's quota unit, once. */
const refundQuota = Effect.fnUntraced(function*({ organizationId, scan }: ScanEnding) {
  const period = yield* (yield* ScanStore).releaseQuota(organizationId, scan.id)
  if (period !== null) yield* (yield* QuotaLedger).release(organizationId, period)
})

/** Puts `scan.completed` into the outbox. */
const putScanCompleted = Effect.fnUntraced(function*({ at, organizationId, scan }: ScanEnding, { brand }: TrackedSet) {
  const score = (yield* (yield* ScoreStore).ofScan(organizationId, scan.id))!
  const event = {
    id: yield* newId(EventId),
    event: "scan.completed" as const,
    timestamp: at,
    data: {
      scan_id: scan.id,
      avg_sov: roundOrNull(score.avgSov, 0),
      results_count: score.resultsCount,
      mentioned_count: score.mentionedCount,
      ...yield* readEventLabels(organizationId, scan)
    }
  }
  yield* publishEvent(organizationId, event, { brand: brand.name })
})

/** Puts `scan.failed` into the outbox, with the scan's failed calls. */
const putScanFailed = Effect.fnUntraced(function*({ at, organizationId, scan }: ScanEnding) {
  const failed = yield* (yield* CellStore).listFailed(organizationId, scan.id)
  const grouped = Map.groupBy(failed, ({ platform, reason }) => `${platform} ${reason}`)
  const event = {
    id: yield* newId(EventId),
    event: "scan.failed" as const,
    timestamp: at,
    data: {
      scan_id: scan.id,
      failed_count: failed.length,
      failures: [...grouped.values()].map((all) => ({
        platform: all[0]!.platform,
        reason: all[0]!.reason,
        count: all.length
      })),
      ...yield* readEventLabels(organizationId, scan)
    }
  }
  yield* publishEvent(organizationId, event, {})
})

/**
 * Runs `decide` under the scan's row lock in one transaction, unless the scan has already ended. Returns the new
 * status; null if this call did not end the scan.
 */
const endUnderLock = <E, R>(
  organizationId: OrganizationId,
  scanId: ScanId,
  decide: (ending: ScanEnding) => Effect.Effect<Exclude<Scan["status"], "running"> | null, E, R>
) =>
  Effect.gen(function*() {
    const { run } = yield* Transaction
    const scans = yield* ScanStore
    const cells = yield* CellStore
    return yield* run(Effect.gen(function*() {
      const scan = yield* scans.lock(organizationId, scanId)
      if (scan === null || scan.status !== "running") return null
      const at = yield* now
      const status = yield* decide({ organizationId, scan, at, counts: yield* cells.counts(organizationId, scanId) })
      if (status !== null) yield* scans.end(organizationId, scanId, status, at)
      return status
    }))
  })

/**
 * Measures a scan whose cells have ended, and looks for names and facts that its alerts may report, so that this work
 * is done before the completing transaction. Null if the scan has ended; `untracked` is null if names were not
 * searched.
 */
const prepareCompletion = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  scanId: ScanId,
  unmeasurable: Unmeasurable
) {
  const scan = yield* (yield* ScanStore).find(organizationId, scanId)
  if (scan === null || scan.status !== "running") return null
  const counts = yield* (yield* CellStore).counts(organizationId, scanId)
  if (sumCounts(counts, (count) => count.open) > 0 || sumCounts(counts, (count) => count.answered) === 0) {
    return { untracked: null, contradicted: [] }
  }
  const set = (yield* (yield* TrackedSetStore).find(organizationId, scan.trackedSetVersion))!
  yield* measureForCompletion(organizationId, scan, set, yield* now, unmeasurable)
  return {
    untracked: scan.view === undefined ? yield* findNamesForAlerts(organizationId, scan, set) : null,
    contradicted: yield* findContradictionsForAlerts(organizationId, scan, set)
  }
})

/**
 * Ends the scan if all its cells have ended. It becomes `completed`, with score, seal and one `scan.completed`, if at
 * least one answer is archived or an app showed no overview, which is also a result; otherwise `failed`, with its quota
 * unit returned and one `scan.failed`. Safe to call at any time, repeatedly, by any process. Answers in `unmeasurable`
 * are not measured; answers that cannot be measured are added to it.
 */
export const completeScan = Effect.fn("completeScan")(function*(
  organizationId: OrganizationId,
  scanId: ScanId,
  unmeasurable: Unmeasurable = new Map()
) {
  const prepared = yield* prepareCompletion(organizationId, scanId, unmeasurable)
  if (prepared === null) return
  const ended = yield* endUnderLock(
    organizationId,
    scanId,
    Effect.fnUntraced(function*(ending) {
      if (sumCounts(ending.counts, (count) => count.open) > 0) return null
      const leaves = yield* readLeaves(ending)
      if (leaves.length === 0 && sumCounts(ending.counts, (count) => count.noOverview) === 0) {
        yield* refundQuota(ending)
        yield* sealScan(ending, "failed", leaves)
        yield* putScanFailed(ending)
        return "failed" as const
      }
      const set = (yield* (yield* TrackedSetStore).find(organizationId, ending.scan.trackedSetVersion))!
      yield* measureForCompletion(organizationId, ending.scan, set, ending.at, unmeasurable)
      yield* scoreMeasured(organizationId, ending.scan, set, ending.at)
      yield* sealScan(ending, "completed", leaves)
      yield* putScanCompleted(ending, set)
      // A changed model affects every view, so only scans of the standard view report it
      if (ending.scan.view === undefined) yield* publishPlatformChanges(organizationId, ending.scan, set, ending.at)
      yield* raiseAlerts(organizationId, ending.scan, set, ending.at, prepared.untracked)
      yield* raiseUngated(organizationId, set, prepared.contradicted, ending.at)
      return "completed" as const
    })
  )
  // The scan has ended with the transaction; anything that is missing is computed when it is read
  if (ended !== "completed") return
  yield* Effect.ignore(keepScoreDetail(organizationId))
  yield* Effect.ignore(keepActions(organizationId))
})

/** Ends a running scan as cancelled, without an entry in the audit log, because the caller records its own action. */
export const endCancelled = <E = never, R = never>(
  organizationId: OrganizationId,
  scanId: ScanId,
  onCancelled: Effect.Effect<void, E, R> = Effect.void as Effect.Effect<void, E, R>
) =>
  Effect.flatMap(CellStore, (cells) =>
    endUnderLock(
      organizationId,
      scanId,
      Effect.fnUntraced(function*(ending) {
        yield* cells.cancelOpen(organizationId, scanId)
        // Counted after the cells have ended, because no call begins after that
        const counts = yield* cells.counts(organizationId, scanId)
        if (sumCounts(counts, (count) => count.calls) === 0) yield* refundQuota(ending)
        yield* sealScan(ending, "cancelled", yield* readLeaves(ending))
        yield* onCancelled
        return "cancelled" as const
      })
    ))

/**
 * Cancels a running scan: open cells end, archived answers are sealed and stay. Returns its quota unit only if no
 * platform was called. Does nothing if the scan has already ended.
 */
export const cancelScan = Effect.fn("cancelScan")(function*(organizationId: OrganizationId, scanId: ScanId) {
  yield* endCancelled(
    organizationId,
    scanId,
    recordActs(organizationId, [{ action: "scan.cancelled", subjectId: scanId, detail: {} }])
  )
})
