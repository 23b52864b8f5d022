/** Progress of a scan by platform, read once or repeatedly while it runs. */
import { Effect, Schedule, Stream } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { CellCounts, PlatformFailure } from "../../domain/scanning/Cell.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { BacklogStore } from "../../ports/BacklogStore.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { HealthStore } from "../../ports/HealthStore.ts"
import { now } from "../now.ts"
import { findShownScan } from "./readScan.ts"

/** Progress of a running scan on one platform. */
export interface PlatformWork extends CellCounts {
  /** When the first waiting question is due; null if no question waits. */
  readonly nextDueAt: Date | null
  /** Why the platform's last call failed, in any process; null while its calls succeed. */
  readonly failing: PlatformFailure | null
}

/** The progress of a scan at one moment, by platform and sorted by platform id. */
export interface ScanWork {
  readonly scan: Scan
  readonly platforms: ReadonlyArray<PlatformWork>
}

/** The current progress of a scan, with the reasons for waiting. */
const readWork = Effect.fnUntraced(function*(organizationId: OrganizationId, scan: Scan) {
  const counts = yield* (yield* CellStore).counts(organizationId, scan.id)
  if (scan.status !== "running") {
    const work: ScanWork = { scan, platforms: counts.map((one) => ({ ...one, nextDueAt: null, failing: null })) }
    return work
  }
  const open = yield* (yield* BacklogStore).listOpen(organizationId, scan.id, yield* now)
  const healths = yield* (yield* HealthStore).list
  const waiting = new Map(open.map((one) => [one.platform, one]))
  const work: ScanWork = {
    scan,
    platforms: counts.map((one): PlatformWork => {
      const health = healths.find(({ platform, simulated }) =>
        platform === one.platform && simulated === scan.simulated
      )
      return {
        ...one,
        nextDueAt: waiting.get(one.platform)?.nextDueAt ?? null,
        failing: one.open > 0 && health !== undefined && health.breaker.failures > 0
          ? health.lastFailure?.reason ?? null
          : null
      }
    })
  }
  return work
})

/** Reads the progress of a scan within the window. Fails as `findShownScan`. */
export const readScanWork = Effect.fn("readScanWork")(
  function*(organizationId: OrganizationId, window: HistoryWindow, scanId: ScanId) {
    return yield* readWork(organizationId, yield* findShownScan(organizationId, window, scanId))
  }
)

/**
 * Reads the progress every second; the last element is the first one in which the scan has ended. Repeats a read for
 * ten seconds if the database is unavailable.
 */
export const followScanWork = (organizationId: OrganizationId, window: HistoryWindow, scanId: ScanId) =>
  Stream.fromEffectSchedule(
    readScanWork(organizationId, window, scanId).pipe(
      Effect.retry({
        while: (error) => error._tag === "StoreError" && error.retryable,
        schedule: Schedule.spaced("2 seconds"),
        times: 5
      })
    ),
    Schedule.spaced("1 second")
  ).pipe(
    Stream.takeUntil(({ scan }) => scan.status !== "running")
  )
