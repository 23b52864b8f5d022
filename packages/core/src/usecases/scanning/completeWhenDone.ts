import { Duration, Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import { retryWindow } from "../../domain/platforms/retryPolicy.ts"
import { BacklogStore } from "../../ports/BacklogStore.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { SentimentJudge } from "../../ports/SentimentJudge.ts"
import { now } from "../now.ts"
import { completeScan } from "./completeScan.ts"

/** Whether answers of the scan wait for the judge, which they do until nothing has happened for the `retryWindow`. */
const isBeingJudged = Effect.fnUntraced(function*(organizationId: OrganizationId, scanId: ScanId) {
  if ((yield* SentimentJudge) === null) return false
  const scan = yield* (yield* ScanStore).find(organizationId, scanId)
  if (scan === null || scan.simulated) return false
  const versions = { measureVersion, trackedSetVersion: scan.trackedSetVersion }
  // One that could not be measured waits for nobody
  if (!(yield* (yield* MeasurementStore).hasUntried(organizationId, scanId, versions))) return false
  const at = yield* now
  const { lastActivityAt } = yield* (yield* BacklogStore).ofScan(organizationId, scanId, at)
  return lastActivityAt !== null && at.getTime() - lastActivityAt.getTime() < Duration.toMillis(retryWindow)
})

/** Completes the scan if no cell is open and no answer waits for the judge. Safe to call at any time, by any process. */
export const completeWhenDone = Effect.fn("completeWhenDone")(
  function*(organizationId: OrganizationId, scanId: ScanId) {
    if (yield* (yield* CellStore).hasOpen(organizationId, scanId)) return
    if (yield* isBeingJudged(organizationId, scanId)) return
    yield* completeScan(organizationId, scanId)
  }
)
