import { Effect, Schedule, Stream } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import type { CellCounts } from "../../domain/scanning/Cell.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { NotFound } from "../errors.ts"

/** The progress of a scan at one moment; `counts` has one entry per platform. */
export interface ScanProgress {
  readonly scan: Scan
  readonly counts: ReadonlyArray<CellCounts>
}

/** Reads the progress of a scan. Fails with NotFound. */
export const readScanProgress = Effect.fn("readScanProgress")(
  function*(organizationId: OrganizationId, scanId: ScanId) {
    const scan = yield* (yield* ScanStore).find(organizationId, scanId)
    if (scan === null) return yield* new NotFound({ what: "scan", id: scanId })
    const counts = yield* (yield* CellStore).counts(organizationId, scanId)
    return { scan, counts } satisfies ScanProgress
  }
)

/**
 * Reads the progress of the scan every 300 ms; the last element is the first one in which it has ended. If the database
 * is unavailable, a read is repeated for half a minute.
 */
export const followScan = (organizationId: OrganizationId, scanId: ScanId) =>
  Stream.fromEffectSchedule(
    readScanProgress(organizationId, scanId).pipe(
      Effect.retry({
        while: (error) => error._tag === "StoreError" && error.retryable,
        schedule: Schedule.spaced("1 second"),
        times: 30
      })
    ),
    Schedule.spaced("300 millis")
  ).pipe(
    Stream.takeUntil(({ scan }) => scan.status !== "running")
  )
