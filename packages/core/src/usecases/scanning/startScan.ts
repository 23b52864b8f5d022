import { Effect } from "effect"
import { CellId, type KeywordId, type OrganizationId, ScanId } from "../../domain/ids.ts"
import { makeQuota, periodEnd, type Quota, quotaPeriod } from "../../domain/organizations/Quota.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import type { Scan, ScanType } from "../../domain/scanning/Scan.ts"
import { idempotencyKeyTtlMs, startFingerprint } from "../../domain/scanning/startRequest.ts"
import { AnswerPlatforms } from "../../ports/AnswerPlatform.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { IdempotencyStore } from "../../ports/IdempotencyStore.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { Notifications, workChannel } from "../../ports/Notifications.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { QuotaLedger } from "../../ports/QuotaLedger.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { recordActs } from "../audit/recordActs.ts"
import {
  IdempotencyMismatch,
  NotFound,
  NotReady,
  PlatformsMissing,
  QuotaExhausted,
  Rejected,
  StartInProgress
} from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { monthlyLimit } from "../organizations/readQuota.ts"
import { findTagged } from "../tracking/readTags.ts"
import { estimateScanSeconds } from "./estimateScanSeconds.ts"

export interface ScanRequest {
  readonly scanType: ScanType
  /** Whether the start uses one unit of the monthly quota (manual starts do; the demo and schedules do not). */
  readonly usesQuota: boolean
  /** Times that each keyword is asked on each platform, 1–5. */
  readonly samples: number
  /** Only these keywords; all active ones when not given. */
  readonly keywordIds?: ReadonlyArray<KeywordId>
  /** Only active keywords that have one of these tags, beside `keywordIds`. */
  readonly tags?: ReadonlyArray<string>
  /** Only these platforms; all configured ones when not given. */
  readonly platforms?: ReadonlyArray<PlatformId>
}

/** What a scan would ask: checked, but nothing started and no quota used. */
export const planScan = Effect.fn("planScan")(function*(organizationId: OrganizationId, request: ScanRequest) {
  const organization = yield* (yield* OrganizationStore).find(organizationId)
  if (organization === null) return yield* new NotFound({ what: "organization", id: organizationId })
  const trackedSet = yield* (yield* TrackedSetStore).current(organizationId)
  if (trackedSet === null) return yield* new NotReady({ missing: "brand" })

  const active = yield* (yield* KeywordStore).list(organizationId, ["active"])
  const unknown = request.keywordIds?.find((id) => !active.some((keyword) => keyword.id === id))
  if (unknown !== undefined) return yield* new NotFound({ what: "keyword", id: unknown })
  const chosen = new Set(request.keywordIds)
  for (const tag of request.tags ?? []) {
    const tagged = new Set(yield* findTagged(organizationId, tag))
    const asked = active.filter(({ id }) => tagged.has(id))
    if (asked.length === 0) return yield* new NotFound({ what: "tag", id: JSON.stringify(tag) })
    for (const { id } of asked) chosen.add(id)
  }
  const isWhole = request.keywordIds === undefined && request.tags === undefined
  const keywords = active.filter(({ id }) => isWhole || chosen.has(id))
  if (keywords.length === 0) return yield* new NotReady({ missing: "keywords" })

  const configured = (yield* AnswerPlatforms).all
  const missing = request.platforms?.filter((id) => !configured.has(id)) ?? []
  if (missing.length > 0) return yield* new PlatformsMissing({ platforms: missing })
  const platforms = [...configured.values()].filter((platform) => request.platforms?.includes(platform.id) ?? true)
  if (platforms.length === 0) return yield* new NotReady({ missing: "platforms" })

  if (new Set(platforms.map((platform) => platform.simulated)).size > 1) {
    return yield* new Rejected({ field: "platforms", message: "simulated and real platforms cannot share a scan" })
  }

  const alike = [...configured.values()].filter(({ simulated }) => simulated === platforms[0]!.simulated)
  const askable = { keywords: active.length, platforms: alike.length }
  return { organization, trackedSet, keywords, platforms, askable }
})

/** A scan that was started, with what its client is told. */
export interface StartedScan extends Scan {
  /** How long it will probably take. */
  readonly estimatedSeconds: number
  /** The month's quota after this start; null when it used none, or when it was started before. */
  readonly quota: Quota | null
  /** Whether an earlier request with the same Idempotency-Key started it. */
  readonly replayed: boolean
}

/** The scan that was started under the key before; null = none. */
const findReplayedScan = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  { fingerprint, key, since }: { readonly key: string; readonly fingerprint: Uint8Array; readonly since: Date }
) {
  const record = yield* (yield* IdempotencyStore).find(organizationId, key, since)
  if (record === null) return null
  if (Buffer.compare(record.fingerprint, fingerprint) !== 0) return yield* new IdempotencyMismatch()
  const scan = (yield* (yield* ScanStore).find(organizationId, record.scanId))!
  const started: StartedScan = { ...scan, estimatedSeconds: record.estimatedSeconds, quota: null, replayed: true }
  return started
})

/** Starts it; null when a record of the same key is there already. */
const insertScan = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  request: ScanRequest,
  named: { readonly key: string; readonly fingerprint: Uint8Array; readonly since: Date } | null
) {
  const { askable, keywords, organization, platforms, trackedSet } = yield* planScan(organizationId, request)
  const [scans, cells, notifications, ledger] = yield* Effect.all([ScanStore, CellStore, Notifications, QuotaLedger])
  const records = yield* IdempotencyStore
  const { run } = yield* Transaction

  const startedAt = yield* now
  const period = quotaPeriod(startedAt)
  const scan: Scan = {
    id: yield* newId(ScanId),
    status: "running",
    scanType: request.scanType,
    platforms: platforms.map((platform) => platform.id),
    samples: request.samples,
    cellCount: keywords.length * platforms.length * request.samples,
    simulated: platforms.every((platform) => platform.simulated),
    trackedSetVersion: trackedSet.version,
    quotaPeriod: request.usesQuota ? period : null,
    startedAt,
    completedAt: null,
    askable
  }
  const questions = platforms.flatMap((platform) =>
    keywords.flatMap((keyword) =>
      Array.from({ length: request.samples }, (_, n) => ({
        scanId: scan.id,
        keywordId: keyword.id,
        platform: platform.id,
        sample: n + 1
      }))
    )
  )
  const open = yield* Effect.forEach(questions, (cell) => Effect.map(newId(CellId), (id) => ({ id, ...cell })))
  const estimatedSeconds = yield* estimateScanSeconds(platforms, keywords.length * request.samples)

  const takeQuota = Effect.gen(function*() {
    if (!request.usesQuota) return null
    const limit = monthlyLimit(organization)
    const used = yield* ledger.take(organizationId, period, limit)
    if (used !== null) return makeQuota(period, limit, used)
    return yield* new QuotaExhausted({
      period,
      limit,
      used: yield* ledger.used(organizationId, period),
      resetsAt: periodEnd(period)
    })
  })
  return yield* run(Effect.gen(function*() {
    if (named !== null) {
      const record = { ...named, scanId: scan.id, estimatedSeconds, createdAt: startedAt }
      const added = yield* records.add(organizationId, record, named.since).pipe(
        Effect.catchIf(({ reason }) => reason === "busy", () => Effect.fail(new StartInProgress()))
      )
      if (!added) return null
    }
    const quota = yield* takeQuota
    yield* scans.insert(organizationId, scan)
    // Due at once by every clock: the worker that asks may have another clock than the process that started the scan
    yield* cells.insert(organizationId, open, new Date(0))
    yield* recordActs(organizationId, [{
      action: "scan.started",
      subjectId: scan.id,
      detail: {
        scan_type: scan.scanType,
        platforms: scan.platforms,
        keywords: keywords.length,
        samples: scan.samples,
        simulated: scan.simulated
      }
    }])
    yield* notifications.send(workChannel, "")
    const started: StartedScan = { ...scan, estimatedSeconds, quota, replayed: false }
    return started
  }))
})

/**
 * Starts a scan: quota unit, scan and cells in one transaction, so that either all of it exists or nothing.
 * Nothing is asked yet; workers do that. With an `idempotencyKey` the same request starts one scan within 24 hours,
 * however often and from wherever it comes; another request under that key fails with IdempotencyMismatch.
 */
export const startScan = Effect.fn("startScan")(function*(
  organizationId: OrganizationId,
  request: ScanRequest,
  idempotencyKey?: string
) {
  const at = yield* now
  const named = idempotencyKey === undefined ? null : {
    key: idempotencyKey,
    fingerprint: startFingerprint(request),
    since: new Date(at.getTime() - idempotencyKeyTtlMs)
  }
  const before = named === null ? null : yield* findReplayedScan(organizationId, named)
  return before ?? (yield* insertScan(organizationId, request, named)) ??
    // Another request has just started it under this key
    (yield* findReplayedScan(organizationId, named!))!
})
