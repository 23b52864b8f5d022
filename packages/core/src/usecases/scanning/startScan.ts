import { Effect } from "effect"
import { CellId, type KeywordId, type OrganizationId, ScanId } from "../../domain/ids.ts"
import { makeQuota, periodEnd, type Quota, quotaPeriod } from "../../domain/organizations/Quota.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import type { Scan, ScanType } from "../../domain/scanning/Scan.ts"
import { idempotencyKeyTtlMs, startFingerprint } from "../../domain/scanning/startRequest.ts"
import { AnswerPlatforms } from "../../ports/AnswerPlatform.ts"
import { IdempotencyStore } from "../../ports/IdempotencyStore.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { workChannel } from "../../ports/Notifications.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { QuotaLedger } from "../../ports/QuotaLedger.ts"
import { type ScanStart, ScanStore } from "../../ports/ScanStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { makeEntries } from "../audit/recordActs.ts"
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

/** What an Idempotency-Key stands for. */
interface NamedStart {
  readonly key: string
  readonly fingerprint: Uint8Array
  readonly since: Date
}

/** Why nothing was started: another request has just started it under its key, or the quota is used up. */
const explainNotStarted = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  quota: ScanStart["quota"],
  named: NamedStart | null
) {
  const replayed = named === null ? null : yield* findReplayedScan(organizationId, named)
  if (replayed !== null || quota === null) return replayed
  const { limit, period } = quota
  const used = yield* (yield* QuotaLedger).used(organizationId, period)
  return yield* new QuotaExhausted({ period, limit, used, resetsAt: periodEnd(period) })
})

/** Starts it, or gives the scan that another request has just started under the same key. */
const insertScan = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  request: ScanRequest,
  named: NamedStart | null
) {
  const { askable, keywords, organization, platforms, trackedSet } = yield* planScan(organizationId, request)
  const scans = yield* ScanStore

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
  const cells = yield* Effect.forEach(questions, (cell) => Effect.map(newId(CellId), (id) => ({ id, ...cell })))
  const estimatedSeconds = yield* estimateScanSeconds(platforms, keywords.length * request.samples)
  const quota = request.usesQuota ? { period, limit: monthlyLimit(organization) } : null
  const entries = yield* makeEntries([{
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
  const started = yield* scans.start(organizationId, {
    scan,
    cells,
    // Due at once by every clock: the worker that asks may have another clock than the process that started the scan
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
    channel: workChannel
  }).pipe(
    Effect.catchTag("StoreError", (error) =>
      Effect.gen(function*() {
        if (named !== null && error.reason === "busy") return yield* new StartInProgress()
        // The record of a start for which nothing of the quota was left is taken back at the commit
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
 * Starts a scan: quota unit, scan and cells in one statement, so that either all of it exists or nothing.
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
  return before ?? (yield* insertScan(organizationId, request, named))
})
