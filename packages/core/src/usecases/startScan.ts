import { Effect } from "effect"
import { CellId, type KeywordId, type OrganizationId, ScanId } from "../domain/ids.ts"
import type { PlatformId } from "../domain/Platform.ts"
import { periodEnd, quotaPeriod } from "../domain/Quota.ts"
import type { Scan, ScanType } from "../domain/Scan.ts"
import { AnswerPlatforms } from "../ports/AnswerPlatform.ts"
import { CellStore } from "../ports/CellStore.ts"
import { KeywordStore } from "../ports/KeywordStore.ts"
import { Notifications, workChannel } from "../ports/Notifications.ts"
import { OrganizationStore } from "../ports/OrganizationStore.ts"
import { QuotaLedger } from "../ports/QuotaLedger.ts"
import { ScanStore } from "../ports/ScanStore.ts"
import { TrackedSetStore } from "../ports/TrackedSetStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { NotFound, NotReady, PlatformsMissing, QuotaExhausted, Rejected } from "./errors.ts"
import { newId } from "./newId.ts"
import { now } from "./now.ts"
import { monthlyLimit } from "./readQuota.ts"

export interface ScanRequest {
  readonly scanType: ScanType
  /** Whether the start uses one unit of the monthly quota (manual starts do; the demo and schedules do not). */
  readonly usesQuota: boolean
  /** Times that each keyword is asked on each platform, 1–5. */
  readonly samples: number
  /** Only these keywords; all active ones when not given. */
  readonly keywordIds?: ReadonlyArray<KeywordId>
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
  const keywords = active.filter((keyword) => request.keywordIds?.includes(keyword.id) ?? true)
  if (keywords.length === 0) return yield* new NotReady({ missing: "keywords" })

  const configured = (yield* AnswerPlatforms).all
  const missing = request.platforms?.filter((id) => !configured.has(id)) ?? []
  if (missing.length > 0) return yield* new PlatformsMissing({ platforms: missing })
  const platforms = [...configured.values()].filter((platform) => request.platforms?.includes(platform.id) ?? true)
  if (platforms.length === 0) return yield* new NotReady({ missing: "platforms" })

  if (new Set(platforms.map((platform) => platform.simulated)).size > 1) {
    return yield* new Rejected({ field: "platforms", message: "simulated and real platforms cannot share a scan" })
  }

  return { organization, trackedSet, keywords, platforms }
})

/**
 * Starts a scan: quota unit, scan and cells in one transaction, so that either all of it exists or nothing.
 * Nothing is asked yet; workers do that.
 */
export const startScan = Effect.fn("startScan")(function*(organizationId: OrganizationId, request: ScanRequest) {
  const { keywords, organization, platforms, trackedSet } = yield* planScan(organizationId, request)
  const [scans, cells, notifications, quota] = yield* Effect.all([ScanStore, CellStore, Notifications, QuotaLedger])
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
    completedAt: null
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

  yield* run(Effect.gen(function*() {
    if (request.usesQuota) {
      const limit = monthlyLimit(organization)
      if (!(yield* quota.take(organizationId, period, limit))) {
        return yield* new QuotaExhausted({
          period,
          limit,
          used: yield* quota.used(organizationId, period),
          resetsAt: periodEnd(period)
        })
      }
    }
    yield* scans.insert(organizationId, scan)
    yield* cells.insert(organizationId, open, startedAt)
    yield* notifications.send(workChannel, "")
  }))
  return scan
})
