import { Duration, Effect, Schedule } from "effect"
import { WorkerId } from "../domain/ids.ts"
import { differingWorker, forgottenAfterMs, freshSince, heartbeatMs } from "../domain/Worker.ts"
import { AnswerPlatforms } from "../ports/AnswerPlatform.ts"
import { ThisProcess } from "../ports/ThisProcess.ts"
import { Transaction } from "../ports/Transaction.ts"
import { WorkerRegistry } from "../ports/WorkerRegistry.ts"
import { PlatformsDiffer } from "./errors.ts"
import { newId } from "./newId.ts"
import { now } from "./now.ts"

/** This process as it stands in the registry. */
export interface EnteredWorker {
  readonly id: WorkerId
  /** Runs the work under its name (`platform/assistant_a`, …); heartbeats meanwhile say so. */
  readonly doing: <A, E, R>(name: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const refuseOther = Effect.fnUntraced(function*(at: Date) {
  const { digest } = yield* AnswerPlatforms
  const other = differingWorker(yield* (yield* WorkerRegistry).list(freshSince(at)), digest, at)
  if (other !== null) return yield* new PlatformsDiffer({ host: other.host, pid: other.pid, seen: other.seenAt })
})

/** Fails with PlatformsDiffer while a worker with other platform bindings is there: this process could not work. */
export const refuseOtherPlatforms = Effect.fn("refuseOtherPlatforms")(function*() {
  yield* refuseOther(yield* now)
})

/**
 * Enters this process into the registry (`stays` = it works until it is stopped), says every two seconds that it is there, and leaves when the scope closes.
 * Fails with PlatformsDiffer, and enters nothing, while a worker with other platform bindings is there. Trouble with the
 * database later is logged and never ends the worker: who was forgotten meanwhile enters again.
 */
export const enterWorker = Effect.fn("enterWorker")(function*({ stays = true }: { readonly stays?: boolean } = {}) {
  const { all, digest } = yield* AnswerPlatforms
  const registry = yield* WorkerRegistry
  const { run } = yield* Transaction
  const identity = yield* ThisProcess
  const id = yield* newId(WorkerId)
  const startedAt = yield* now
  const doing = new Set<string>()

  const enterAt = (at: Date) =>
    registry.enter(
      { id, ...identity, digest, platforms: [...all.keys()], doing: [...doing], stays, startedAt, seenAt: at },
      new Date(at.getTime() - forgottenAfterMs)
    )
  yield* Effect.addFinalizer(() =>
    registry.leave(id).pipe(Effect.interruptible, Effect.timeout("2 seconds"), Effect.ignore)
  )
  yield* run(Effect.gen(function*() {
    yield* enterAt(startedAt)
    yield* refuseOther(startedAt)
  }))

  const heartbeat = Effect.gen(function*() {
    const at = yield* now
    if (!(yield* registry.seen(id, [...doing], at))) yield* enterAt(at)
  }).pipe(Effect.catch((error) => Effect.logDebug("the heartbeat failed and comes again", error)))
  yield* heartbeat.pipe(
    Effect.delay(Duration.millis(heartbeatMs)),
    Effect.repeat(Schedule.forever),
    Effect.forkScoped
  )

  const entered: EnteredWorker = {
    id,
    doing: (name, work) =>
      Effect.acquireUseRelease(
        Effect.sync(() => doing.add(name)),
        () => work,
        () => Effect.sync(() => doing.delete(name))
      )
  }
  return entered
})
