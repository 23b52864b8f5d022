import { Effect } from "effect"
import { toSealHeader } from "../../domain/archive/Seal.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { describeSurface } from "../../domain/platforms/surface.ts"
import { SealStore } from "../../ports/SealStore.ts"
import { readSurfaceLine } from "../scoring/readOrigins.ts"
import { listFailures, readBacklog } from "./reads.ts"
import { findShownScan, readScan } from "./readScan.ts"

/**
 * Reads one scan with its failures, its backlog (null unless it is running) and its seals; late answers have their own
 * seals. Accepts the same names as `findShownScan` and fails like it.
 */
export const readScanDetail = Effect.fn("readScanDetail")(
  function*(organizationId: OrganizationId, window: HistoryWindow, idOrLatest: string) {
    const { id } = yield* findShownScan(organizationId, window, idOrLatest)
    const report = yield* readScan(organizationId, id)
    return {
      ...report,
      failures: yield* listFailures(organizationId, id),
      /** From which surface and view the answers come (`describeSurface`) */
      surface: report.scan.status === "running"
        ? describeSurface(report.scan)
        : yield* readSurfaceLine(organizationId, report.scan),
      backlog: report.scan.status === "running" ? yield* readBacklog(organizationId, id) : null,
      seals: (yield* (yield* SealStore).ofScan(organizationId, id)).map(toSealHeader)
    }
  }
)

/** One scan with everything known about it. */
export type ScanDetail = Effect.Success<ReturnType<typeof readScanDetail>>
