import { Clock, Duration, Effect, Schedule, Semaphore } from "effect"
import { WorkerId } from "../../domain/ids.ts"
import {
  findConflictingWorker,
  heartbeatIntervalMs,
  heartbeatTimeoutMs,
  leaseRenewalMs,
  pruneAfterMs
} from "../../domain/workers/Worker.ts"
import { AnswerPlatforms } from "../../ports/AnswerPlatform.ts"
import { StoreError } from "../../ports/StoreError.ts"
import { ThisProcess } from "../../ports/ThisProcess.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { WorkerRegistry } from "../../ports/WorkerRegistry.ts"
import { PlatformsDiffer } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"

const answerTimeout = Duration.seconds(5)
const noAnswerError = new StoreError({
  reason: "unavailable",
  message: `the database has not answered for ${Duration.format(answerTimeout)}`
})

/** This process's entry in the registry of workers. */
export interface WorkerRegistration {
  readonly id: WorkerId
  /**
   * Runs the task under its name (`platform/assistant_a`, …), which the registry shows while it runs; its start and end
   * are logged. If workers are `fenced`, the task starts once no other live worker runs that name.
   */
  readonly runExclusive: <A, E, R>(name: string, task: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Run this before the task of that name does anything that must not happen twice. Succeeds at once if the last
   * heartbeat is recent, otherwise sends a heartbeat first. If workers are `fenced`, it fails (`busy`) while another
   * worker runs the task because it considers this one dead: a process that was frozen does not notice this itself.
   */
  readonly assertLease: (name: string) => Effect.Effect<void, StoreError>
  /**
   * How far the registry's clock is ahead of this process's, in milliseconds; 0 if the round trip explains the
   * difference.
   */
  readonly clockAheadMs: number
}

/** How often a task that waits for another worker to end tries again. */
const takeoverInterval = "250 millis"

const rejectConflict = Effect.gen(function*() {
  const { digest } = yield* AnswerPlatforms
  const other = findConflictingWorker(yield* (yield* WorkerRegistry).list(heartbeatTimeoutMs), digest)
  if (other !== null) return yield* new PlatformsDiffer({ host: other.host, pid: other.pid, seen: other.seenAt })
})

/** Tracks outages of the database: logs one line at the start and one at the end. */
const makeOutageTracker = () => {
  let [since, until] = [-Infinity, -Infinity]
  return {
    failed: Effect.fnUntraced(function*(error: StoreError) {
      if (since > until) return yield* Effect.logDebug("the heartbeat failed and is repeated", error)
      since = yield* Clock.currentTimeMillis
      yield* Effect.logWarning(`${error.message}; work pauses until the database is back`)
    }),
    succeeded: Effect.gen(function*() {
      if (since <= until) return
      until = Math.max(since, yield* Clock.currentTimeMillis)
      yield* Effect.logInfo(`the database is back after ${Math.round((until - since) / 1000)} s; work continues`)
    }),
    /** `heartbeatTimeoutMs`, plus the time during which other workers may have been unable to send heartbeats. */
    heartbeatTimeoutMs: Effect.map(
      Clock.currentTimeMillis,
      (nowMs) => nowMs - until <= heartbeatTimeoutMs ? nowMs - since + heartbeatTimeoutMs : heartbeatTimeoutMs
    )
  }
}

/**
 * Measures time with two clocks, because the monotonic clock stops while the machine sleeps, and the wall clock may be
 * set back. The longer time counts.
 */
const makeStopwatch = () => {
  let [wallMs, nanos] = [-Infinity, 0n]
  const read = Effect.all([Clock.currentTimeMillis, Clock.monotonicTimeNanos])
  return {
    read,
    startFrom: ([wall, monotonic]: Effect.Success<typeof read>): void => {
      ;[wallMs, nanos] = [wall, monotonic]
    },
    elapsedMs: Effect.map(
      read,
      ([wall, monotonic]) => Math.max(wall - wallMs, Number((monotonic - nanos) / 1_000_000n))
    )
  }
}

/**
 * Fails with PlatformsDiffer if a live worker has other platform bindings, because this process could then not work.
 */
export const assertSamePlatforms = Effect.fn("assertSamePlatforms")(function*() {
  yield* rejectConflict
})

interface RegisterOptions {
  readonly fenced?: boolean
  readonly stays?: boolean
}

/**
 * Registers this process as a worker, sends a heartbeat every two seconds, and unregisters when the scope closes. Fails
 * with PlatformsDiffer, without registering, if a live worker has other platform bindings. Later database failures are
 * logged, once at the start and once at the end, and never end the worker: if the registry has lost it, it registers
 * again. `fenced`: see `runExclusive`; set it if the placement is not exclusive. `stays`: the worker runs until it is
 * stopped.
 */
export const registerWorker = Effect.fn("registerWorker")(
  function*({ fenced = false, stays = true }: RegisterOptions = {}) {
    const { all, digest } = yield* AnswerPlatforms
    const registry = yield* WorkerRegistry
    const { run } = yield* Transaction
    const identity = yield* ThisProcess
    const id = yield* newId(WorkerId)
    const startedAt = yield* now
    const running = new Set<string>()
    /** Tasks that another worker may have started, because this worker's heartbeat was late */
    const unconfirmed = new Set<string>()
    const sinceHeartbeat = makeStopwatch()
    const outages = makeOutageTracker()
    const oneAtATime = Semaphore.makeUnsafe(1).withPermits(1)

    const register = Effect.suspend(() =>
      registry.register(
        { id, ...identity, digest, platforms: [...all.keys()], doing: [...running], stays, startedAt },
        pruneAfterMs
      )
    )
    const runsElsewhere = (name: string, withinMs: number) =>
      Effect.map(
        registry.list(withinMs),
        (workers) => workers.some((other) => other.id !== id && other.doing.includes(name))
      )
    yield* Effect.addFinalizer(() =>
      registry.unregister(id).pipe(Effect.interruptible, Effect.timeout("2 seconds"), Effect.ignore)
    )
    const registeredAt = yield* sinceHeartbeat.read
    const registryTime = yield* run(Effect.tap(register, rejectConflict))
    sinceHeartbeat.startFrom(registeredAt)
    const clockAheadMs = Math.min(0, registryTime.getTime() - startedAt.getTime()) +
      Math.max(0, registryTime.getTime() - (yield* Clock.currentTimeMillis))

    const sendHeartbeat = Effect.gen(function*() {
      const at = yield* sinceHeartbeat.read
      if ((yield* sinceHeartbeat.elapsedMs) > leaseRenewalMs) { for (const name of running) unconfirmed.add(name) }
      if (!(yield* registry.heartbeat(id, [...running]))) yield* register
      sinceHeartbeat.startFrom(at)
    }).pipe(
      oneAtATime,
      // A connection that does not answer counts as lost
      Effect.timeoutOrElse({ duration: answerTimeout, orElse: () => Effect.fail(noAnswerError) })
    )
    yield* sendHeartbeat.pipe(
      Effect.matchEffect({ onFailure: outages.failed, onSuccess: () => outages.succeeded }),
      Effect.delay(Duration.millis(heartbeatIntervalMs)),
      Effect.repeat(Schedule.forever),
      Effect.forkScoped
    )

    /** Returns true if no other worker runs the task and the registry shows that this worker does. */
    const tryBeginTask = (name: string) =>
      Effect.gen(function*() {
        const withinMs = yield* outages.heartbeatTimeoutMs
        // While it waits, it only reads: `register` keeps all others from registering until its transaction ends
        if (yield* runsElsewhere(name, withinMs)) return false
        return yield* run(Effect.gen(function*() {
          // If two workers start at the same time, the second one to register sees the first
          yield* register
          return !(yield* runsElsewhere(name, withinMs)) && (yield* registry.heartbeat(id, [...running, name]))
        }))
      }).pipe(
        Effect.tap((begun) => Effect.sync(() => begun && running.add(name))),
        oneAtATime,
        Effect.catch((error) => Effect.as(Effect.logDebug(`${name} begins later`, error), false))
      )
    const begin = (name: string) =>
      fenced
        ? tryBeginTask(name).pipe(
          Effect.repeat({ until: (begun) => begun, schedule: Schedule.spaced(takeoverInterval) }),
          Effect.asVoid
        )
        : Effect.sync(() => void running.add(name))
    const assertLease = Effect.fnUntraced(function*(name: string) {
      if ((yield* sinceHeartbeat.elapsedMs) > leaseRenewalMs) yield* sendHeartbeat
      if (!unconfirmed.has(name)) return
      if (yield* runsElsewhere(name, yield* outages.heartbeatTimeoutMs)) {
        return yield* new StoreError({ reason: "busy", message: `${name} is at another worker now` })
      }
      unconfirmed.delete(name)
    })
    const end = (name: string) =>
      Effect.suspend(() => {
        unconfirmed.delete(name)
        if (!running.delete(name)) return Effect.void
        const logged = Effect.logInfo(`${name}: ends here`)
        // Another worker may be waiting for this task to end
        return fenced ? Effect.andThen(logged, Effect.ignore(Effect.interruptible(sendHeartbeat))) : logged
      })

    const registration: WorkerRegistration = {
      id,
      clockAheadMs,
      assertLease: fenced ? assertLease : () => Effect.void,
      runExclusive: (name, task) =>
        begin(name).pipe(
          Effect.andThen(Effect.logInfo(`${name}: begins here`)),
          Effect.andThen(task),
          Effect.ensuring(end(name))
        )
    }
    return registration
  }
)
