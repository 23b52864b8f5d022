import { Clock, Duration, Effect, Semaphore } from "effect"
import { breakerState, tripsAfter } from "../../domain/platforms/Breaker.ts"
import { providerDigest } from "../../domain/platforms/Platform.ts"
import { retryWindow } from "../../domain/scanning/Cell.ts"
import { lookedAt, type Watch, watchedMs } from "../../domain/scanning/Watch.ts"
import type { AnswerPlatform, PlatformError } from "../../ports/AnswerPlatform.ts"
import type { CellFailure } from "../../ports/CellStore.ts"
import { type CallOutcome, HealthStore, type LastFailure, type PlatformHealth } from "../../ports/HealthStore.ts"
import type { Call, CallEnd, CallLog } from "./callLog.ts"

const kept = 100

/** How a call's end counts for the breaker: only failures of the platform itself do. */
const endOf = (error: PlatformError | null): CallEnd =>
  error === null || !error.outage ? "answered" : { retryAfterMs: error.retryAfterMs }

/** Keeps how a platform does: ends its calls in the log, and says what has become of it. */
export const makeHealthRecord = (platform: AnswerPlatform, calls: CallLog) => {
  const { id, requestsPerMinute, simulated } = platform
  const provider = providerDigest(platform)
  const alone = Semaphore.makeUnsafe(1)
  let outcomes: ReadonlyArray<CallOutcome> = []
  let lastFailure: LastFailure | null = null
  let watch: Watch = []

  const standing = (): Omit<PlatformHealth, "seenAt"> => ({
    platform: id,
    simulated,
    provider,
    breaker: calls.breaker(),
    watch,
    sent: calls.counted(),
    outcomes,
    lastFailure
  })
  let saved = JSON.stringify(standing())

  /** Says once that the platform is left alone for a while. */
  const said = (before: number | null, { message }: PlatformError, nowMs: number): Effect.Effect<void> => {
    const { retryAt } = calls.breaker()
    if (before !== null || retryAt === null) return Effect.void
    const pause = Duration.format(Duration.seconds(Math.ceil((retryAt - nowMs) / 1000)))
    return Effect.logWarning(
      `${message}; ${tripsAfter} calls failed in a row: it is left alone for ${pause}, its questions wait at most ` +
        Duration.format(retryWindow)
    )
  }

  /** One at a time, so that what is kept last is the latest. */
  const save = Effect.gen(function*() {
    const latest = standing()
    if (saved === JSON.stringify(latest)) return
    yield* (yield* HealthStore).save({ ...latest, seenAt: new Date(yield* Clock.currentTimeMillis) })
    saved = JSON.stringify(latest)
  }).pipe(alone.withPermits(1))

  return {
    /**
     * Goes on from what the last worker kept: how the platform did, unless another provider stood behind its name, and
     * what it has sent in the last minute.
     */
    load: Effect.gen(function*() {
      const found = (yield* (yield* HealthStore).list).find((one) => one.platform === id && one.simulated === simulated)
      if (found === undefined) return
      const nowMs = yield* Clock.currentTimeMillis
      calls.restoreCounted(found.sent, found.seenAt.getTime(), nowMs)
      if (found.provider === provider) {
        ;({ lastFailure, outcomes, watch } = found)
        calls.restore(found.breaker, nowMs)
      }
      saved = ""
    }),
    /** Keeps it for others if anything happened since. */
    save,
    /** Where a minute's limit is set, calls are kept before they are sent: who comes after a crash counts them, too. */
    announce: requestsPerMinute === null ? Effect.void : save,
    /** Ends a call; `error` null = it was answered, undefined = it was cut or never made. */
    ended: Effect.fnUntraced(
      function*(call: Call, error: PlatformError | null | undefined, nowMs: number) {
        const before = calls.breaker().retryAt
        call.ended(error === undefined ? null : endOf(error), nowMs)
        if (error === undefined) return
        outcomes = [...outcomes, error === null ? "answered" as const : error.reason].slice(-kept)
        if (error === null) return
        lastFailure = { reason: error.reason, message: error.message, at: nowMs }
        yield* said(before, error, nowMs)
      }
    ),
    /** Somebody looks after the platform at `nowMs`. */
    looked: (nowMs: number): void => {
      watch = calls.breaker().failingSince === null ? [] : lookedAt(watch, nowMs)
    },
    /**
     * Why a scan that began at `startedAt` need not wait any more: workers have looked on for as long as a question is
     * retried, and the platform has given no answer since. Null while it may.
     */
    givenUp: (startedAt: Date, nowMs: number): CellFailure | null => {
      const { failingSince, ...breaker } = calls.breaker()
      // Half-open: the call that may still succeed comes first.
      if (
        failingSince === null || lastFailure === null || breakerState({ failingSince, ...breaker }, nowMs) !== "open"
      ) {
        return null
      }
      const waitedMs = watchedMs(watch, Math.max(failingSince, startedAt.getTime()))
      if (waitedMs < Duration.toMillis(retryWindow)) return null
      // Without the failure's own words: the question that met it may be another organization's
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
