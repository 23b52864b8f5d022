import { type Deferred, Effect } from "effect"
import type { NewWork } from "../../domain/workers/NewWork.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import type { Judge } from "../../ports/Judge.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { pollIntervalMs } from "../workers/pollLoop.ts"
import { runKind } from "../workers/runKind.ts"
import { WakeSignal } from "../workers/WakeSignal.ts"
import { makeCellKind } from "./askCells.ts"
import { makeBudget } from "./budget.ts"
import { makeCallLimiter } from "./callLimiter.ts"
import { followEnd } from "./followEnd.ts"
import { makeHealthRecord } from "./healthRecord.ts"

interface PlatformWorkerOptions {
  readonly platform: AnswerPlatform
  /** The judge of sentiment; null if the rules decide alone. */
  readonly judge: Judge | null
  /** Completes when the process must end and calls in flight must be aborted. */
  readonly abort: Deferred.Deferred<void>
  /** Notifies the worker that there may be new work. */
  readonly newWork: WakeSignal<NewWork>
  /**
   * Run before calls begin: succeeds only while no other process may be calling the platform (`WorkerRegistration`).
   */
  readonly assertLease: Effect.Effect<void, StoreError>
}

/**
 * Creates one platform with its limits, budget, breaker and health, which are shared by all code in this process that
 * calls it.
 */
export const makePlatformWorker = ({ abort, assertLease, judge, newWork, platform }: PlatformWorkerOptions) => {
  const callEnded = new WakeSignal()
  const calls = makeCallLimiter(platform, callEnded.notify)
  return {
    platform,
    judge,
    abort,
    assertLease,
    calls,
    health: makeHealthRecord(platform, calls, assertLease),
    budget: makeBudget(platform),
    newWork,
    callEnded
  }
}
export type PlatformWorker = ReturnType<typeof makePlatformWorker>

/** Runs `work` with the platform's health as the last worker saved it, and saves the health for the next worker. */
export const withSavedHealth = <A, E, R>({ health }: PlatformWorker, work: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.gen(function*() {
    yield* Effect.addFinalizer(() => health.save.pipe(Effect.interruptible, Effect.timeout("2 seconds"), Effect.ignore))
    yield* health.load.pipe(
      Effect.catch((error) => Effect.logDebug("the platform's health could not be loaded", error))
    )
    yield* health.save.pipe(
      Effect.catch((error) => Effect.logDebug("the platform's health could not be saved and is saved later", error)),
      Effect.delay(pollIntervalMs),
      Effect.forever,
      Effect.forkScoped
    )
    return yield* work
  }))

/** Asks the open cells of all running scans on one platform, until interrupted. */
export const runPlatformWorker = (worker: PlatformWorker) =>
  Effect.scoped(Effect.gen(function*() {
    yield* Effect.forkScoped(followEnd(worker))
    return yield* runKind(yield* makeCellKind(worker), {
      abort: worker.abort,
      fence: worker.assertLease,
      newWork: worker.newWork,
      freed: worker.callEnded
    })
  }))
