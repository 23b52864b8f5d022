import { Effect } from "effect"
import { ScanStore } from "../../ports/ScanStore.ts"
import { completeWhenDone } from "./completeWhenDone.ts"

/**
 * Completes scans whose last cell ended while its worker died. One that cannot be completed does not stop the others.
 */
export const sweepScans = Effect.fn("sweepScans")(function*() {
  for (const { organizationId, scanId } of yield* (yield* ScanStore).listSettled) {
    yield* completeWhenDone(organizationId, scanId).pipe(
      Effect.catchCause((cause) => Effect.logWarning(`scan ${scanId} cannot be completed and is tried again`, cause))
    )
  }
})
