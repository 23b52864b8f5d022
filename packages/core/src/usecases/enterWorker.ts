import { Clock, Duration, Effect, Schedule } from "effect"
import { WorkerId } from "../domain/ids.ts"
import { differingWorker, forgottenAfterMs, freshSince, heartbeatMs } from "../domain/Worker.ts"
import { AnswerPlatforms } from "../ports/AnswerPlatform.ts"
import { StoreError } from "../ports/StoreError.ts"
import { ThisProcess } from "../ports/ThisProcess.ts"
import { Transaction } from "../ports/Transaction.ts"
import { WorkerRegistry } from "../ports/WorkerRegistry.ts"
import { PlatformsDiffer } from "./errors.ts"
import { newId } from "./newId.ts"
import { now } from "./now.ts"

const silentFor = Duration.seconds(5)
const silence = new StoreError({
  reason: "unavailable",
  message: `the database has not answered for ${Duration.format(silentFor)}`
})

/** This process as it stands in the registry. */
export interface EnteredWorker {
  readonly id: WorkerId
  /** Runs the work under its name (`platform/assistant_a`, …); heartbeats meanwhile say so, and the log says when. */
  readonly doing: <A, E, R>(name: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const refuseOther = Effect.fnUntraced(function*(at: Date) {
  const { digest } = yield* AnswerPlatforms
  const other = differingWorker(yield* (yield* WorkerRegistry).list(freshSince(at)), digest, at)
  if (other !== null) return yield* new PlatformsDiffer({ host: other.host, pid: other.pid, seen: other.seenAt })
})

/** Says once that the database is in trouble, and once that it is back. */
const makeTroubleLog = () => {
  let since: number | null = null
  return {
    failed: Effect.fnUntraced(function*(error: StoreError) {
      if (since !== null) return yield* Effect.logDebug("the heartbeat failed and comes again", error)
      since = yield* Clock.currentTimeMillis
      yield* Effect.logWarning(`${error.message}; work pauses until the database is back`)
    }),
    worked: Effect.gen(function*() {
      if (since === null) return
      const seconds = Math.round(((yield* Clock.currentTimeMillis) - since) / 1000)
      since = null
      yield* Effect.logInfo(`the database is back after ${seconds} s; work goes on`)
    })
  }
}

/** Fails with PlatformsDiffer while a worker with other platform bindings is there: this process could not work. */
export const refuseOtherPlatforms = Effect.fn("refuseOtherPlatforms")(function*() {
  yield* refuseOther(yield* now)
})

/**
 * Enters this process into the registry (`stays` = it works until it is stopped), says every two seconds that it is there, and leaves when the scope closes.
 * Fails with PlatformsDiffer, and enters nothing, while a worker with other platform bindings is there. Trouble with the
 * database later is logged, once when it begins and once when it is over, and never ends the worker: who was forgotten meanwhile enters again.
 */
export const enterWorker = Effect.fn("enterWorker")(function*({ stays = true }: { readonly stays?: boolean } = {}) {
  const { all, digest } = yield* AnswerPlatforms
  const registry = yield* WorkerRegistry
  const { run } = yield* Transaction
  const identity = yield* ThisProcess
  const id = yield* newId(WorkerId)
  const startedAt = yield* now
  const doing = new Set<string>()
  const trouble = makeTroubleLog()

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
  }).pipe(
    // A connection that says nothing is noticed like one that is gone
    Effect.timeoutOrElse({ duration: silentFor, orElse: () => Effect.fail(silence) }),
    Effect.matchEffect({ onFailure: trouble.failed, onSuccess: () => trouble.worked })
  )
  yield* heartbeat.pipe(
    Effect.delay(Duration.millis(heartbeatMs)),
    Effect.repeat(Schedule.forever),
    Effect.forkScoped
  )

  const entered: EnteredWorker = {
    id,
    doing: (name, work) =>
      Effect.acquireUseRelease(
        Effect.andThen(Effect.sync(() => doing.add(name)), Effect.logInfo(`${name}: begins here`)),
        () => work,
        () => Effect.andThen(Effect.sync(() => doing.delete(name)), Effect.logInfo(`${name}: ends here`))
      )
  }
  return entered
})
