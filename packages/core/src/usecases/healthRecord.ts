import { Duration, Effect } from "effect"
import { breakerState, tripsAfter } from "../domain/Breaker.ts"
import { retryWindow } from "../domain/Cell.ts"
import type { AnswerPlatform, PlatformError } from "../ports/AnswerPlatform.ts"
import type { CellFailure } from "../ports/CellStore.ts"
import { type CallOutcome, HealthStore, type LastFailure } from "../ports/HealthStore.ts"
import type { Call, CallEnd, CallLog } from "./callLog.ts"
import { now } from "./now.ts"

const kept = 100

/** How a call's end counts for the breaker: only failures of the platform itself do. */
const endOf = (error: PlatformError | null): CallEnd =>
  error === null || !error.outage ? "answered" : { retryAfterMs: error.retryAfterMs }

/** Keeps how a platform does: ends its calls in the log, and says what has become of it. */
export const makeHealthRecord = ({ id, simulated }: AnswerPlatform, calls: CallLog) => {
  let outcomes: ReadonlyArray<CallOutcome> = []
  let lastFailure: LastFailure | null = null
  let saved: unknown = outcomes

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

  return {
    /** Goes on from what the last worker kept. */
    load: Effect.gen(function*() {
      const found = (yield* (yield* HealthStore).list).find((one) => one.platform === id && one.simulated === simulated)
      if (found === undefined) return
      saved = outcomes = found.outcomes
      lastFailure = found.lastFailure
      calls.restore(found.breaker)
    }),
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
    /** Keeps it for others if anything happened since. */
    save: Effect.gen(function*() {
      if (saved === outcomes) return
      const latest = outcomes
      yield* (yield* HealthStore).save({
        platform: id,
        simulated,
        breaker: calls.breaker(),
        outcomes: latest,
        lastFailure,
        seenAt: yield* now
      })
      saved = latest
    }),
    /**
     * Why a scan that began at `startedAt` need not wait any more: it has for as long as a question is retried, and the
     * platform has given no answer since. Null while it may.
     */
    givenUp: (startedAt: Date, nowMs: number): CellFailure | null => {
      const { failingSince, ...breaker } = calls.breaker()
      // Half-open: the call that may still succeed comes first.
      if (
        failingSince === null || lastFailure === null || breakerState({ failingSince, ...breaker }, nowMs) !== "open"
      ) {
        return null
      }
      const waitedMs = nowMs - Math.max(failingSince, startedAt.getTime())
      if (waitedMs < Duration.toMillis(retryWindow)) return null
      const { message, reason } = lastFailure
      return {
        reason,
        message: `${message} (no answer for ${Duration.format(retryWindow)})`,
        excerpt: null,
        status: null
      }
    }
  }
}
