import { Effect } from "effect"
import { CellId, type OrganizationId, ScanId } from "../../domain/ids.ts"
import { makeQuota, periodEnd, type Quota, quotaPeriod } from "../../domain/organizations/Quota.ts"
import type { View } from "../../domain/platforms/surface.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { idempotencyKeyTtlMs, startFingerprint } from "../../domain/scanning/startRequest.ts"
import { formatNewWork } from "../../domain/workers/NewWork.ts"
import { IdempotencyStore, type StartRecord } from "../../ports/IdempotencyStore.ts"
import { workChannel } from "../../ports/Notifications.ts"
import { QuotaLedger } from "../../ports/QuotaLedger.ts"
import { type ScanBasis, type ScanStart, ScanStore } from "../../ports/ScanStore.ts"
import { makeEntries } from "../audit/recordActs.ts"
import { IdempotencyMismatch, QuotaExhausted, StartInProgress } from "../errors.ts"
import { newId, newIds } from "../newId.ts"
import { now } from "../now.ts"
import { monthlyLimit, readQuota } from "../organizations/reads.ts"
import { estimateScanSeconds } from "./estimateScanSeconds.ts"
import { chooseViews, planScan, readBasis, type ScanRequest } from "./planScan.ts"

/** A started scan, with the data for its client. */
export interface StartedScan extends Scan {
  /** Likely duration of the scan. */
  readonly estimatedSeconds: number
  /** The month's quota after this start; null if the start used none, or if the scan had been started before. */
  readonly quota: Quota | null
  /** Whether an earlier request with the same Idempotency-Key started the scan. */
  readonly replayed: boolean
}

/** A start under an Idempotency-Key. */
interface NamedStart {
  readonly key: string
  readonly fingerprint: Uint8Array
  readonly since: Date
}

/** Returns the scan of the record. */
const replayScan = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  { fingerprint }: NamedStart,
  record: StartRecord
) {
  if (Buffer.compare(record.fingerprint, fingerprint) !== 0) return yield* new IdempotencyMismatch()
  const scan = (yield* (yield* ScanStore).find(organizationId, record.scanId))!
  const started: StartedScan = { ...scan, estimatedSeconds: record.estimatedSeconds, quota: null, replayed: true }
  return started
})

/**
 * Explains why nothing was started: another request has just started a scan under the same key, or the quota is used
 * up.
 */
const explainNotStarted = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  quota: ScanStart["quota"],
  named: NamedStart | null
) {
  const record = named === null
    ? null
    : yield* (yield* IdempotencyStore).find(organizationId, named.key, named.since)
  if (named !== null && record !== null) return yield* replayScan(organizationId, named, record)
  if (quota === null) return null
  const { limit, period } = quota
  const used = yield* (yield* QuotaLedger).used(organizationId, period)
  return yield* new QuotaExhausted({ period, limit, used, resetsAt: periodEnd(period) })
})

/** Starts the scan, or returns the one that another request has just started under the same key. */
const insertScan = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  request: ScanRequest,
  named: NamedStart | null,
  basis: ScanBasis,
  view: View | null
) {
  const { askable, keywordIds, organization, platforms, surface, trackedSetVersion } = yield* planScan(basis, request)
  const scans = yield* ScanStore

  const startedAt = yield* now
  const period = quotaPeriod(startedAt)
  const scan: Scan = {
    id: yield* newId(ScanId),
    status: "running",
    scanType: request.scanType,
    platforms: platforms.map((platform) => platform.id),
    samples: request.samples,
    cellCount: keywordIds.length * platforms.length * request.samples,
    simulated: platforms.every((platform) => platform.simulated),
    trackedSetVersion,
    quotaPeriod: request.usesQuota ? period : null,
    startedAt,
    completedAt: null,
    askable,
    ...surface === null ? {} : { surface },
    ...view === null ? {} : { view }
  }
  const questions = platforms.flatMap((platform) =>
    keywordIds.flatMap((keywordId) =>
      Array.from({ length: request.samples }, (_, n) => ({
        scanId: scan.id,
        keywordId,
        platform: platform.id,
        sample: n + 1
      }))
    )
  )
  const ids = yield* newIds(CellId, questions.length)
  const cells = questions.map((cell, n) => ({ id: ids[n]!, ...cell }))
  const estimatedSeconds = yield* estimateScanSeconds(platforms, keywordIds.length * request.samples)
  const quota = request.usesQuota ? { period, limit: monthlyLimit(organization) } : null
  const entries = yield* makeEntries([{
    action: "scan.started",
    subjectId: scan.id,
    detail: {
      scan_type: scan.scanType,
      platforms: scan.platforms,
      keywords: keywordIds.length,
      samples: scan.samples,
      simulated: scan.simulated,
      ...view === null ? {} : { view: view.name }
    }
  }])
  const started = yield* scans.start(organizationId, {
    scan,
    cells,
    // Due at once by every clock, because a worker's clock may differ from that of the process that started the scan
    dueAt: new Date(0),
    quota,
    named: named === null ? null : {
      record: {
        key: named.key,
        fingerprint: named.fingerprint,
        scanId: scan.id,
        estimatedSeconds,
        createdAt: startedAt
      },
      since: named.since
    },
    entries,
    notification: {
      channel: workChannel,
      payload: formatNewWork({ of: "scan", organizationId, scanId: scan.id })
    }
  }).pipe(
    Effect.catchTag("StoreError", (error) =>
      Effect.gen(function*() {
        if (named !== null && error.reason === "busy") return yield* new StartInProgress()
        // The commit undoes the record of a start if no quota was left for it
        const isUsedUp = quota !== null && error.reason === "constraint" &&
          (yield* (yield* QuotaLedger).used(organizationId, period)) >= quota.limit
        return isUsedUp ? null : yield* error
      }))
  )
  if (started === null) {
    return (yield* explainNotStarted(organizationId, quota, named)) ?? (yield* new StartInProgress())
  }
  const left = quota === null || started.used === null ? null : makeQuota(period, quota.limit, started.used)
  const answer: StartedScan = { ...scan, estimatedSeconds, quota: left, replayed: false }
  return answer
})

/**
 * Starts a scan: stores quota unit, scan and cells in one statement, all or nothing. Asks nothing yet; workers do that.
 * With an `idempotencyKey`, the same request starts only one scan within 24 hours, however often it is sent; a
 * different request under that key fails with IdempotencyMismatch.
 */
export const startScan = Effect.fn("startScan")(function*(
  organizationId: OrganizationId,
  request: ScanRequest,
  idempotencyKey?: string,
  view: View | null = null
) {
  const at = yield* now
  const named = idempotencyKey === undefined ? null : {
    key: idempotencyKey,
    fingerprint: startFingerprint(request),
    since: new Date(at.getTime() - idempotencyKeyTtlMs)
  }
  const basis = yield* readBasis(organizationId, named)
  if (named !== null && basis.record !== null) return yield* replayScan(organizationId, named, basis.record)
  return yield* insertScan(organizationId, request, named, basis, view)
})

/** The key for the scan of an additional view, derived from the request's key. */
const viewKey = (key: string, view: View): string => `${key} ${view.name}`

/** The number of scans that no request has started under its key. */
const countNotStarted = Effect.fnUntraced(
  function*(organizationId: OrganizationId, keys: ReadonlyArray<string | undefined>) {
    const records = yield* IdempotencyStore
    const since = new Date((yield* now).getTime() - idempotencyKeyTtlMs)
    const found = yield* Effect.forEach(
      keys,
      (key) => key === undefined ? Effect.succeed(null) : records.find(organizationId, key, since)
    )
    return found.filter((record) => record === null).length
  }
)

/**
 * Starts a scan for each view of the request, the standard one first. Each scan asks the questions from its view and
 * uses one unit of the quota. Fails like `startScan`; fails with QuotaExhausted before any scan starts if fewer units
 * are left than scans are missing. A request that is repeated under its `idempotencyKey` starts the missing scans.
 */
export const startScans = Effect.fn("startScans")(
  function*(organizationId: OrganizationId, request: ScanRequest, idempotencyKey?: string) {
    const [first, ...others] = yield* chooseViews(organizationId, request)
    const keyOf = (view: View | null = null) =>
      idempotencyKey === undefined || view === null || view === first ? idempotencyKey : viewKey(idempotencyKey, view)
    if (others.length > 0 && request.usesQuota) {
      const missing = yield* countNotStarted(organizationId, [first, ...others].map(keyOf))
      const { limit, period, remaining, resetsAt, used } = yield* readQuota(organizationId)
      if (remaining < missing) return yield* new QuotaExhausted({ period, limit, used, resetsAt })
    }
    const standard = yield* startScan(organizationId, request, idempotencyKey, first)
    const rest = yield* Effect.forEach(others, (view) => startScan(organizationId, request, keyOf(view), view))
    return [standard, ...rest] as const
  }
)
