import { Effect } from "effect"
import type { CellCounts } from "../domain/Cell.ts"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import { compileTerms, isBranded, measureVersion } from "../domain/measuring/measureAnswer.ts"
import type { Scan } from "../domain/Scan.ts"
import { scoreScan } from "../domain/Score.ts"
import type { TrackedSet } from "../domain/TrackedSet.ts"
import { ArchiveStore } from "../ports/ArchiveStore.ts"
import { CellStore } from "../ports/CellStore.ts"
import { KeywordStore } from "../ports/KeywordStore.ts"
import { MeasurementStore } from "../ports/MeasurementStore.ts"
import { QuotaLedger } from "../ports/QuotaLedger.ts"
import { ScanStore } from "../ports/ScanStore.ts"
import { ScoreStore } from "../ports/ScoreStore.ts"
import { TrackedSetStore } from "../ports/TrackedSetStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { measurerFor } from "./measureStored.ts"
import { now } from "./now.ts"
import { sealAnswers } from "./sealAnswers.ts"

/** What every completion step works on. */
interface Ending {
  readonly organizationId: OrganizationId
  readonly scan: Scan
  readonly counts: ReadonlyArray<CellCounts>
  readonly at: Date
}

const measurePage = 200

/** Measures what has no measurement yet: usually nothing, since answers are measured when they are archived. */
const measureMissing = Effect.fnUntraced(function*({ organizationId, scan }: Ending, set: TrackedSet) {
  const measurements = yield* MeasurementStore
  const measure = yield* measurerFor(set)
  const versions = { measureVersion, trackedSetVersion: set.version }
  while (true) {
    const page = yield* measurements.unmeasured(organizationId, scan.id, versions, measurePage)
    if (page.length === 0) return
    yield* measurements.insert(organizationId, yield* Effect.forEach(page, measure))
  }
})

/** Forms and keeps the scan's score. */
const score = Effect.fnUntraced(function*({ at, counts, organizationId, scan }: Ending, set: TrackedSet) {
  const versions = { measureVersion, trackedSetVersion: set.version }
  const compiled = compileTerms(set.brand, set.competitors, set.brand.excludes)
  const rows = yield* (yield* MeasurementStore).rows(organizationId, scan.id, versions)
  const asked = yield* (yield* CellStore).keywordIds(organizationId, scan.id)
  const keywords = (yield* (yield* KeywordStore).list(organizationId, ["active", "paused", "archived"]))
    .filter((keyword) => asked.has(keyword.id))
  yield* (yield* ScoreStore).insert(
    organizationId,
    scoreScan({
      scanId: scan.id,
      ...versions,
      rows,
      keywordIds: keywords.map((keyword) => keyword.id),
      brandedKeywords: new Set(
        keywords.filter((keyword) => isBranded(compiled, keyword.text)).map((keyword) => keyword.id)
      ),
      competitorIds: set.competitors.map((competitor) => competitor.id),
      failedCount: counts.reduce((sum, count) => sum + count.failed, 0)
    }),
    at
  )
})

/** Seals the scan's answers into the organization's chain. */
const seal = Effect.fnUntraced(function*({ at, organizationId, scan }: Ending) {
  yield* sealAnswers(organizationId, scan.id, yield* (yield* ArchiveStore).leaves(organizationId, scan.id), at)
})

/** Gives the scan's quota unit back, once. */
const refund = Effect.fnUntraced(function*({ organizationId, scan }: Ending) {
  const period = yield* (yield* ScanStore).releaseQuota(organizationId, scan.id)
  if (period !== null) yield* (yield* QuotaLedger).giveBack(organizationId, period)
})

/** Runs `decide` under the scan's row lock in one transaction, unless the scan has ended already. */
const endUnderLock = <E, R>(
  organizationId: OrganizationId,
  scanId: ScanId,
  decide: (ending: Ending) => Effect.Effect<Exclude<Scan["status"], "running"> | null, E, R>
) =>
  Effect.gen(function*() {
    const { run } = yield* Transaction
    const scans = yield* ScanStore
    const cells = yield* CellStore
    yield* run(Effect.gen(function*() {
      const scan = yield* scans.lock(organizationId, scanId)
      if (scan === null || scan.status !== "running") return
      const at = yield* now
      const status = yield* decide({ organizationId, scan, at, counts: yield* cells.counts(organizationId, scanId) })
      if (status !== null) yield* scans.end(organizationId, scanId, status, at)
    }))
  })

const sum = (counts: ReadonlyArray<CellCounts>, pick: (count: CellCounts) => number): number =>
  counts.reduce((total, count) => total + pick(count), 0)

/**
 * Ends the scan if all its cells have ended: `completed` with score and seal when at least one answer is archived, else
 * `failed` with its quota unit given back. Safe to call at any time, any number of times, by anybody.
 */
export const completeScan = Effect.fn("completeScan")(function*(organizationId: OrganizationId, scanId: ScanId) {
  yield* endUnderLock(
    organizationId,
    scanId,
    Effect.fnUntraced(function*(ending) {
      if (sum(ending.counts, (count) => count.open) > 0) return null
      if (sum(ending.counts, (count) => count.archived) === 0) {
        yield* refund(ending)
        yield* seal(ending)
        return "failed" as const
      }
      const set = (yield* (yield* TrackedSetStore).find(organizationId, ending.scan.trackedSetVersion))!
      yield* measureMissing(ending, set)
      yield* score(ending, set)
      yield* seal(ending)
      return "completed" as const
    })
  )
})

/**
 * Cancels a running scan: open cells end, what is archived is sealed and stays. Its quota unit comes back only if no
 * platform was called. Says nothing when the scan has ended already.
 */
export const cancelScan = Effect.fn("cancelScan")(function*(organizationId: OrganizationId, scanId: ScanId) {
  const cells = yield* CellStore
  yield* endUnderLock(
    organizationId,
    scanId,
    Effect.fnUntraced(function*(ending) {
      yield* cells.cancelOpen(organizationId, scanId)
      // Counted after the cells have ended: from here on no call begins.
      const counts = yield* cells.counts(organizationId, scanId)
      if (sum(counts, (count) => count.calls) === 0) yield* refund(ending)
      yield* seal(ending)
      return "cancelled" as const
    })
  )
})
