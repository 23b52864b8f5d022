import { Effect, Schema } from "effect"
import { type OrganizationId, ScanId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { UsageStore } from "../../ports/UsageStore.ts"
import { NotFound, OutsideWindow } from "../errors.ts"
import { readScanProgress } from "./followScan.ts"

/** Finds a scan by id or by the word `latest` (the newest scan of the standard view, in any state). */
export const findScan = Effect.fn("findScan")(function*(organizationId: OrganizationId, idOrLatest: string) {
  const scans = yield* ScanStore
  const scan: Scan | null = idOrLatest === "latest"
    ? (yield* scans.list(organizationId, { limit: 1, standard: true }))[0] ?? null
    : Schema.is(ScanId)(idOrLatest)
    ? yield* scans.find(organizationId, idOrLatest)
    : null
  return scan ?? (yield* new NotFound({ what: "scan", id: idOrLatest }))
})

/** Finds a scan like `findScan`. Fails with OutsideWindow if it is older than the window. */
export const findShownScan = Effect.fn("findShownScan")(
  function*(organizationId: OrganizationId, window: HistoryWindow, idOrLatest: string) {
    const scan = yield* findScan(organizationId, idOrLatest)
    if (isInWindow(window, scan.startedAt)) return scan
    return yield* new OutsideWindow({ what: "scan", id: scan.id, since: window.since! })
  }
)

/** Smaller than every id, so that it comes last among scans of the same time. */
const lowestId = "00000000-0000-0000-0000-000000000000" as ScanId

/** Whether the organization has scans that are older than the window. */
export const hasOlderScans = Effect.fnUntraced(function*(organizationId: OrganizationId, { since }: HistoryWindow) {
  if (since === null) return false
  const older = yield* (yield* ScanStore).list(organizationId, { limit: 1, before: { startedAt: since, id: lowestId } })
  return older.length > 0
})

/** A scan with the counts of its cells and answers, their usage and, once completed, its score. */
export const readScan = Effect.fn("readScan")(function*(organizationId: OrganizationId, scanId: ScanId) {
  const progress = yield* readScanProgress(organizationId, scanId)
  return {
    ...progress,
    spending: yield* (yield* UsageStore).ofScan(organizationId, scanId),
    archived: yield* (yield* ArchiveStore).counts(organizationId, scanId),
    score: yield* (yield* ScoreStore).ofScan(organizationId, scanId)
  }
})
