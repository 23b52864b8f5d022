import { Duration, Effect, Semaphore } from "effect"
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

/** Whose turn it is, of those in this process who would complete the same scan. */
const turns = new Map<ScanId, { readonly mutex: Semaphore.Semaphore; users: number }>()

/**
 * Runs `effect` when no other one for the scan runs in this process. The loops of all platforms come to complete a scan
 * at about the same time. The database's lock lets them through one by one as well, but each would wait for it with a
 * session, and with some scans that end together no session would be left for answers.
 */
const inTurn = <A, E, R>(scanId: ScanId, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const turn = turns.get(scanId) ?? { mutex: Semaphore.makeUnsafe(1), users: 0 }
      turn.users++
      turns.set(scanId, turn)
      return turn
    }),
    ({ mutex }) => mutex.withPermits(1)(effect),
    (turn) => Effect.sync(() => --turn.users === 0 && turns.delete(scanId))
  )

/**
 * Completes the scan if no cell is open and no answer waits for the judge. Safe to call at any time, by any process;
 * not inside a transaction.
 */
export const completeWhenDone = Effect.fn("completeWhenDone")(
  function*(organizationId: OrganizationId, scanId: ScanId) {
    if (yield* (yield* CellStore).hasOpen(organizationId, scanId)) return
    yield* inTurn(
      scanId,
      Effect.gen(function*() {
        if (yield* isBeingJudged(organizationId, scanId)) return
        yield* completeScan(organizationId, scanId)
      })
    )
  }
)
