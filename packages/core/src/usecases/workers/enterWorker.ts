import { Clock, Duration, Effect, Schedule, Semaphore } from "effect"
import { WorkerId } from "../../domain/ids.ts"
import { differingWorker, forgottenAfterMs, freshForMs, heartbeatMs, signedForMs } from "../../domain/workers/Worker.ts"
import { AnswerPlatforms } from "../../ports/AnswerPlatform.ts"
import { StoreError } from "../../ports/StoreError.ts"
import { ThisProcess } from "../../ports/ThisProcess.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { WorkerRegistry } from "../../ports/WorkerRegistry.ts"
import { PlatformsDiffer } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"

const silentFor = Duration.seconds(5)
const silence = new StoreError({
  reason: "unavailable",
  message: `the database has not answered for ${Duration.format(silentFor)}`
})

/** This process as it stands in the registry. */
export interface EnteredWorker {
  readonly id: WorkerId
  /**
   * Runs the work under its name (`platform/assistant_a`, …); the registry meanwhile says so, and the log says when. Where
   * it is `fenced` the work begins when no other worker that is there is still at it.
   */
  readonly doing: <A, E, R>(name: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * To be asked before the work of that name takes on anything that no second worker may: succeeds at once while this
   * process has been heard of lately, else after it was heard of again. Where it is `fenced` it fails (`busy`) as long as
   * another worker is at it, having taken this one for dead: a process that was frozen wakes without knowing.
   */
  readonly present: (name: string) => Effect.Effect<void, StoreError>
  /** How far the registry's clock is ahead of this process's, in milliseconds; 0 when the time it took explains it. */
  readonly clockAheadMs: number
}

/** How often who waits for another worker's end looks again. */
const lookEvery = "250 millis"

const refuseOther = Effect.gen(function*() {
  const { digest } = yield* AnswerPlatforms
  const other = differingWorker(yield* (yield* WorkerRegistry).list(freshForMs), digest)
  if (other !== null) return yield* new PlatformsDiffer({ host: other.host, pid: other.pid, seen: other.seenAt })
})

/** Says once that the database is in trouble, and once that it is back. */
const makeTrouble = () => {
  let [since, until] = [-Infinity, -Infinity]
  return {
    failed: Effect.fnUntraced(function*(error: StoreError) {
      if (since > until) return yield* Effect.logDebug("the heartbeat failed and comes again", error)
      since = yield* Clock.currentTimeMillis
      yield* Effect.logWarning(`${error.message}; work pauses until the database is back`)
    }),
    worked: Effect.gen(function*() {
      if (since <= until) return
      until = Math.max(since, yield* Clock.currentTimeMillis)
      yield* Effect.logInfo(`the database is back after ${Math.round((until - since) / 1000)} s; work goes on`)
    }),
    /** `freshForMs`, and as much longer as workers may have been unable to say that they are there. */
    freshForMs: Effect.map(
      Clock.currentTimeMillis,
      (nowMs) => nowMs - until <= freshForMs ? nowMs - since + freshForMs : freshForMs
    )
  }
}

/**
 * Measures the time since it was marked, by two clocks: the monotonic one stands still while the machine sleeps, the
 * wall clock may be set back. What they disagree on counts as passed.
 */
const makeStopwatch = () => {
  let [wallMs, nanos] = [-Infinity, 0n]
  const read = Effect.all([Clock.currentTimeMillis, Clock.monotonicTimeNanos])
  return {
    read,
    mark: ([wall, monotonic]: Effect.Success<typeof read>): void => {
      ;[wallMs, nanos] = [wall, monotonic]
    },
    passedMs: Effect.map(read, ([wall, monotonic]) => Math.max(wall - wallMs, Number((monotonic - nanos) / 1_000_000n)))
  }
}

/** Fails with PlatformsDiffer while a worker with other platform bindings is there: this process could not work. */
export const refuseOtherPlatforms = Effect.fn("refuseOtherPlatforms")(function*() {
  yield* refuseOther
})

interface Entering {
  readonly fenced?: boolean
  readonly stays?: boolean
}

/**
 * Enters this process into the registry, says every two seconds that it is there, and leaves when the scope closes.
 * Fails with PlatformsDiffer, and enters nothing, while a worker with other platform bindings is there. Trouble with the
 * database later is logged, once when it begins and once when it is over, and never ends the worker: who was forgotten
 * meanwhile enters again. `fenced`: see `doing`; for a placement that is not exact. `stays`: it works until it is stopped.
 */
export const enterWorker = Effect.fn("enterWorker")(function*({ fenced = false, stays = true }: Entering = {}) {
  const { all, digest } = yield* AnswerPlatforms
  const registry = yield* WorkerRegistry
  const { run } = yield* Transaction
  const identity = yield* ThisProcess
  const id = yield* newId(WorkerId)
  const startedAt = yield* now
  const doing = new Set<string>()
  /** What another worker may have begun while nothing was heard of this one. */
  const doubtful = new Set<string>()
  const heard = makeStopwatch()
  const trouble = makeTrouble()
  const oneAtATime = Semaphore.makeUnsafe(1).withPermits(1)

  const enter = Effect.suspend(() =>
    registry.enter(
      { id, ...identity, digest, platforms: [...all.keys()], doing: [...doing], stays, startedAt },
      forgottenAfterMs
    )
  )
  const atItElsewhere = (name: string, withinMs: number) =>
    Effect.map(
      registry.list(withinMs),
      (workers) => workers.some((other) => other.id !== id && other.doing.includes(name))
    )
  yield* Effect.addFinalizer(() =>
    registry.leave(id).pipe(Effect.interruptible, Effect.timeout("2 seconds"), Effect.ignore)
  )
  const begun = yield* heard.read
  const registryTime = yield* run(Effect.tap(enter, refuseOther))
  heard.mark(begun)
  const clockAheadMs = Math.min(0, registryTime.getTime() - startedAt.getTime()) +
    Math.max(0, registryTime.getTime() - (yield* Clock.currentTimeMillis))

  const sign = Effect.gen(function*() {
    const at = yield* heard.read
    if ((yield* heard.passedMs) > signedForMs) { for (const name of doing) doubtful.add(name) }
    if (!(yield* registry.seen(id, [...doing]))) yield* enter
    heard.mark(at)
  }).pipe(
    oneAtATime,
    // A connection that says nothing is noticed like one that is gone
    Effect.timeoutOrElse({ duration: silentFor, orElse: () => Effect.fail(silence) })
  )
  const heartbeat = sign.pipe(
    Effect.matchEffect({ onFailure: trouble.failed, onSuccess: () => trouble.worked })
  )
  yield* heartbeat.pipe(
    Effect.delay(Duration.millis(heartbeatMs)),
    Effect.repeat(Schedule.forever),
    Effect.forkScoped
  )

  /** True when no other worker is at it and the registry says that this one is. */
  const tryBegin = (name: string) =>
    Effect.gen(function*() {
      const withinMs = yield* trouble.freshForMs
      // To wait is to look: only who may begin keeps others from the registry
      if (yield* atItElsewhere(name, withinMs)) return false
      return yield* run(Effect.gen(function*() {
        // Who enters is alone with the registry: of two that begin at once the second sees the first
        yield* enter
        return !(yield* atItElsewhere(name, withinMs)) && (yield* registry.seen(id, [...doing, name]))
      }))
    }).pipe(
      Effect.tap((begun) => Effect.sync(() => begun && doing.add(name))),
      oneAtATime,
      Effect.catch((error) => Effect.as(Effect.logDebug(`${name} begins later`, error), false))
    )
  const begin = (name: string) =>
    fenced
      ? tryBegin(name).pipe(
        Effect.repeat({ until: (begun) => begun, schedule: Schedule.spaced(lookEvery) }),
        Effect.asVoid
      )
      : Effect.sync(() => void doing.add(name))
  const present = Effect.fnUntraced(function*(name: string) {
    if ((yield* heard.passedMs) > signedForMs) yield* sign
    if (!doubtful.has(name)) return
    if (yield* atItElsewhere(name, yield* trouble.freshForMs)) {
      return yield* new StoreError({ reason: "busy", message: `${name} is at another worker now` })
    }
    doubtful.delete(name)
  })
  const end = (name: string) =>
    Effect.suspend(() => {
      doubtful.delete(name)
      if (!doing.delete(name)) return Effect.void
      const said = Effect.logInfo(`${name}: ends here`)
      // Another worker may wait for it
      return fenced ? Effect.andThen(said, Effect.ignore(Effect.interruptible(sign))) : said
    })

  const entered: EnteredWorker = {
    id,
    clockAheadMs,
    present: fenced ? present : () => Effect.void,
    doing: (name, work) =>
      begin(name).pipe(
        Effect.andThen(Effect.logInfo(`${name}: begins here`)),
        Effect.andThen(work),
        Effect.ensuring(end(name))
      )
  }
  return entered
})
