import { Duration, Effect } from "effect"
import { retryWindow } from "../domain/Cell.ts"
import { AnswerPlatforms } from "../ports/AnswerPlatform.ts"
import { CellStore } from "../ports/CellStore.ts"
import { ScanStore } from "../ports/ScanStore.ts"
import { completeWhenDone } from "./completeWhenDone.ts"
import { now } from "./now.ts"

/**
 * Ends what would never end by itself: completes scans whose last cell ended while its worker died, and fails cells that
 * have waited longer than the time for retries on a platform that is not configured (any more), or that answers for
 * real while their scan is simulated, or the other way round.
 */
export const sweepScans = Effect.fn("sweepScans")(function*() {
  const platforms = [...(yield* AnswerPlatforms).all.values()]
  const ids = (simulated: boolean) => platforms.filter((one) => one.simulated === simulated).map(({ id }) => id)
  const dueBefore = new Date((yield* now).getTime() - Duration.toMillis(retryWindow))
  yield* (yield* CellStore).failUnworkable({ real: ids(false), simulated: ids(true) }, dueBefore, {
    reason: "unavailable",
    message: "the platform is not configured here any more",
    excerpt: null,
    status: null
  })
  for (const { organizationId, scanId } of yield* (yield* ScanStore).settled) {
    yield* completeWhenDone(organizationId, scanId)
  }
})
