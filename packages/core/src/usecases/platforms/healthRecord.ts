import { Clock, Duration, Effect, Semaphore } from "effect"
import { addAttendance, type AttendanceIntervals, sumAttendedMs } from "../../domain/platforms/AttendanceIntervals.ts"
import { breakerState, tripsAfter } from "../../domain/platforms/Breaker.ts"
import { providerDigest } from "../../domain/platforms/Platform.ts"
import { retryWindow } from "../../domain/platforms/retryPolicy.ts"
import type { AnswerPlatform, PlatformError } from "../../ports/AnswerPlatform.ts"
import type { CellFailure } from "../../ports/CellStore.ts"
import { type CallOutcome, HealthStore, type LastFailure, type PlatformHealth } from "../../ports/HealthStore.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import type { Call, CallEnd, CallLimiter } from "./callLimiter.ts"

/** Number of the last calls whose outcomes are kept. */
const maxOutcomes = 100

/** The result of a call as the breaker sees it. Only failures of the platform itself count as failures. */
const toCallEnd = (error: PlatformError | null): CallEnd =>
  error?.reason === "no_credit"
    ? "unpaid"
    : error === null || !error.outage
    ? "answered"
    : { retryAfterMs: error.retryAfterMs }

/** How long an account without credit is not asked again. */
const noCreditPause = Duration.hours(1)

/**
 * Records the health of a platform: outcomes of its calls, the breaker, and the time in which workers polled for it.
 */
export const makeHealthRecord = (
  platform: AnswerPlatform,
  calls: CallLimiter,
  assertLease: Effect.Effect<void, StoreError>
) => {
  const { id, requestsPerMinute, simulated } = platform
  const provider = providerDigest(platform)
  const mutex = Semaphore.makeUnsafe(1)
  let outcomes: ReadonlyArray<CallOutcome> = []
  let lastFailure: LastFailure | null = null
  let attendance: AttendanceIntervals = []
  let endsOn: string | null = null

  const takeSnapshot = (): Omit<PlatformHealth, "seenAt"> => ({
    platform: id,
    simulated,
    provider,
    breaker: calls.readBreaker(),
    attendance,
    sent: calls.listSent(),
    outcomes,
    lastFailure,
    endsOn
  })
  let saved = JSON.stringify(takeSnapshot())
  const isUnpaid = () => lastFailure?.reason === "no_credit" && outcomes.at(-1) !== "answered"
  const findSaved = Effect.gen(function*() {
    return (yield* (yield* HealthStore).list).find((one) => one.platform === id && one.simulated === simulated)
  })

  /** Logs that the breaker has opened, once. */
  const logTrip = (before: number | null, { message }: PlatformError, nowMs: number): Effect.Effect<void> => {
    const { retryAt } = calls.readBreaker()
    if (before !== null || retryAt === null) return Effect.void
    const pause = Duration.format(Duration.seconds(Math.ceil((retryAt - nowMs) / 1000)))
    return Effect.logWarning(
      `${message}; ${tripsAfter} calls failed in a row: no calls for ${pause}, its questions wait at most ` +
        Duration.format(retryWindow)
    )
  }

  /**
   * Saves the state one save at a time, so that the last save is the latest state. A process that was frozen does not
   * overwrite the state of the worker that has taken over the platform.
   */
  const saveHealth = Effect.gen(function*() {
    const latest = takeSnapshot()
    if (saved === JSON.stringify(latest)) return
    yield* assertLease
    yield* (yield* HealthStore).save({ ...latest, seenAt: new Date(yield* Clock.currentTimeMillis) })
    saved = JSON.stringify(latest)
  }).pipe(mutex.withPermits(1))

  return {
    /** Loads the last worker's state: the calls of the last minute and, if the provider is the same, the health. */
    load: Effect.gen(function*() {
      const found = yield* findSaved
      if (found === undefined) return
      const nowMs = yield* Clock.currentTimeMillis
      calls.restoreSent(found.sent, found.seenAt.getTime(), nowMs)
      if (found.provider === provider) {
        ;({ attendance, endsOn, lastFailure, outcomes } = found)
        calls.restoreBreaker(found.breaker, nowMs)
      }
      saved = ""
    }),
    /** Saves the state for other processes if it has changed. */
    save: saveHealth,
    /**
     * Saves calls before they are sent if the platform has a limit per minute, so that after a crash the next worker
     * counts them.
     */
    saveBeforeCalls: requestsPerMinute === null ? Effect.void : saveHealth,
    /**
     * Records the end of a call. `error`: null if it was answered, undefined if it was aborted or never made.
     * `announcedEnd`: the day on which the model ends according to the answer; null if the answer states no day,
     * undefined to keep the known day.
     */
    recordCallEnd: Effect.fnUntraced(
      function*(
        call: Call,
        error: PlatformError | null | undefined,
        nowMs: number,
        announcedEnd: string | null = endsOn
      ) {
        const before = calls.readBreaker().retryAt
        call.markEnded(error === undefined ? null : toCallEnd(error), nowMs)
        if (error === undefined) return
        outcomes = [...outcomes, error === null ? "answered" as const : error.reason].slice(-maxOutcomes)
        if (error === null) {
          endsOn = announcedEnd
          return
        }
        lastFailure = { reason: error.reason, message: error.message, at: nowMs }
        yield* logTrip(before, error, nowMs)
      }
    ),
    /** Records the day on which the model ends according to the provider; null if no day is announced. */
    recordEnd: (day: string | null): void => {
      endsOn = day
    },
    /** Records that a worker polls for the platform at `nowMs`. */
    recordPoll: (nowMs: number): void => {
      attendance = calls.readBreaker().failingSince === null ? [] : addAttendance(attendance, nowMs)
    },
    /**
     * The reason not to ask the platform: the account had no credit less than an hour ago, and no test of the platform
     * has been answered since. Null if it may be asked.
     */
    noCreditReason: Effect.fnUntraced(function*(nowMs: number) {
      if (!isUnpaid() || lastFailure === null) return null
      const until = lastFailure.at + Duration.toMillis(noCreditPause)
      if (nowMs >= until) return null
      yield* saveHealth
      const found = yield* findSaved
      if (found?.provider === provider && found.outcomes.at(-1) === "answered") {
        ;({ lastFailure, outcomes } = found)
        return null
      }
      const failure: CellFailure = {
        reason: "no_credit",
        message: `${id}: the provider's account has no credit; it is asked again after ${
          new Date(until).toISOString()
        }, or once \`sov platform test ${id}\` is answered`,
        excerpt: null,
        status: null
      }
      return failure
    }),
    /**
     * The reason to stop waiting in a scan that began at `startedAt`: workers have polled for the entire time in which
     * a question is retried, and the platform has not answered. Null if the scan may wait.
     */
    giveUpReason: (startedAt: Date, nowMs: number): CellFailure | null => {
      const { failingSince, ...breaker } = calls.readBreaker()
      // If the breaker is half-open, the probing call comes first, because it may still succeed
      if (
        failingSince === null || lastFailure === null || breakerState({ failingSince, ...breaker }, nowMs) !== "open"
      ) {
        return null
      }
      const waitedMs = sumAttendedMs(attendance, Math.max(failingSince, startedAt.getTime()))
      if (waitedMs < Duration.toMillis(retryWindow)) return null
      // Leaves out the failure's message, because its question may belong to another organization
      const { reason } = lastFailure
      return {
        reason,
        message: `the platform has given no answer for ${
          Duration.format(retryWindow)
        }; its last failure was: ${reason}`,
        excerpt: null,
        status: null
      }
    }
  }
}
