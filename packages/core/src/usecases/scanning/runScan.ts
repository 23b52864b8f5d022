import { Effect, Exit, Stream } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { stopGraceMs } from "../../domain/workers/stopGrace.ts"
import { awaitMail } from "../mail/mailWorker.ts"
import { awaitFirstAttempts } from "../webhooks/awaitFirstAttempts.ts"
import { startWorker } from "../workers/startWorker.ts"
import { followScan, type ScanProgress } from "./followScan.ts"
import { readScan } from "./readScan.ts"

/**
 * Runs a scan in this process until it ends, sends its webhooks and e-mails, and reads the result. `onProgress` runs
 * about three times a second, the last time with the end. Interruption ends the work but not the scan: archived answers
 * stay, calls in flight are aborted, and a later run continues the scan.
 */
export const runScan = Effect.fn("runScan")(
  function*(
    organizationId: OrganizationId,
    scan: Pick<Scan, "id">,
    onProgress: (progress: ScanProgress) => Effect.Effect<void> = () => Effect.void
  ) {
    const worker = yield* startWorker({ stays: false })
    yield* Effect.gen(function*() {
      yield* Stream.runForEach(followScan(organizationId, scan.id), onProgress)
      // Waits, because there may be no other process to send them
      yield* Effect.all([awaitFirstAttempts(organizationId), awaitMail("15 seconds")], {
        concurrency: "unbounded",
        discard: true
      })
    }).pipe(
      Effect.onExit((exit) => worker.stop(Exit.isSuccess(exit) ? stopGraceMs.SIGINT : 0))
    )
    return yield* readScan(organizationId, scan.id)
  },
  Effect.scoped
)
