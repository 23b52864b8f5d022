import { Context, Duration, Effect, RcMap, Semaphore } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import { retryWindow } from "../../domain/platforms/retryPolicy.ts"
import { BacklogStore } from "../../ports/BacklogStore.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { ConfiguredJudge } from "../../ports/Judge.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import type { Unmeasurable } from "../measuring/measurePage.ts"
import { now } from "../now.ts"
import { completeScan } from "./completeScan.ts"

/**
 * Whether answers of the scan still wait for the judge. They stop waiting when there has been no activity for the
 * `retryWindow`.
 */
const isBeingJudged = Effect.fnUntraced(function*(organizationId: OrganizationId, scanId: ScanId) {
  if ((yield* ConfiguredJudge) === null) return false
  const scan = yield* (yield* ScanStore).find(organizationId, scanId)
  if (scan === null || scan.simulated) return false
  const versions = { measureVersion, trackedSetVersion: scan.trackedSetVersion }
  // An answer that could not be measured is not judged
  if (!(yield* (yield* MeasurementStore).hasUntried(organizationId, scanId, versions))) return false
  const at = yield* now
  const { lastActivityAt } = yield* (yield* BacklogStore).ofScan(organizationId, scanId, at)
  return lastActivityAt !== null && at.getTime() - lastActivityAt.getTime() < Duration.toMillis(retryWindow)
})

/**
 * A worker's mutex for each scan; null outside of a worker. The loops of all platforms complete a scan at about the
 * same time. The database's lock would also order them, but each would occupy a session while it waits, and no session
 * would be left for answers if several scans end together.
 */
export const CompletionTurns = Context.Reference<RcMap.RcMap<ScanId, CompletionTurn> | null>(
  "@sov/core/usecases/scanning/CompletionTurns",
  { defaultValue: () => null }
)

interface CompletionTurn {
  readonly mutex: Semaphore.Semaphore
  /** Answers that could not be measured, so that a repeated completion does not measure them again. */
  readonly unmeasurable: Unmeasurable
}

/** The mutexes of one worker, which live as long as its scope. */
export const makeCompletionTurns = RcMap.make({
  lookup: (_scanId: ScanId) =>
    Effect.map(Semaphore.make(1), (mutex): CompletionTurn => ({ mutex, unmeasurable: new Map() })),
  idleTimeToLive: "10 minutes"
})

/**
 * Completes the scan if no cell is open and no answer waits for the judge. Safe to call at any time, by any process,
 * but not inside a transaction.
 */
export const completeWhenDone = Effect.fn("completeWhenDone")(
  function*(organizationId: OrganizationId, scanId: ScanId) {
    if (yield* (yield* CellStore).hasOpen(organizationId, scanId)) return
    const complete = Effect.fnUntraced(function*(unmeasurable?: Unmeasurable) {
      if (yield* isBeingJudged(organizationId, scanId)) return
      yield* completeScan(organizationId, scanId, unmeasurable)
    })
    const turns = yield* CompletionTurns
    if (turns === null) return yield* complete()
    yield* Effect.scoped(
      Effect.flatMap(
        RcMap.get(turns, scanId),
        ({ mutex, unmeasurable }) => mutex.withPermits(1)(complete(unmeasurable))
      )
    )
  }
)
