import {
  type Breaker,
  breakerState,
  closedBreaker,
  recordBreakerAnswer,
  recordBreakerFailure,
  restoreBreaker
} from "../../domain/platforms/Breaker.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import type { SentCalls } from "../../ports/HealthStore.ts"

/** A minute, plus a second for calls that reach the platform faster than earlier calls did. */
const windowMs = 61_000
/** Calls that a process was about to send at its last heartbeat were either sent within this time or never. */
const lateMs = 10_000

/** How long an answer counts as proof that the account can pay. */
const paidMs = 60_000
/** Maximum number of calls in flight until an answer proves that the account can pay. */
const firstCalls = 2

/** The result of a call, as far as it shows whether the platform works. `unpaid`: its account has no credit. */
export type CallEnd = "answered" | "unpaid" | { readonly retryAfterMs: number | null }

/** A call that has begun. It counts towards the minute's limit from the time it was sent. */
export interface Call {
  readonly markSent: (now: number) => void
  /**
   * Call this for every call, sent or not; only the first time counts. Null if the result shows nothing about the
   * platform.
   */
  readonly markEnded: (end: CallEnd | null, now: number) => void
}

/** The calls that a platform's limits and its breaker allow this process to make. Times are in milliseconds. */
export interface CallLimiter {
  /** Number of calls that may begin now. */
  readonly countFree: (now: number) => number
  readonly begin: () => Call
  /** When the limit or the breaker's pause allows the next call; null if neither delays calls. */
  readonly findNextStart: (now: number) => number | null
  readonly readBreaker: () => Breaker
  /** Continues with another process's breaker and the rest of its pause. */
  readonly restoreBreaker: (breaker: Breaker, now: number) => void
  /** The calls that count towards the limit per minute; empty if there is no limit. */
  readonly listSent: () => SentCalls
  /** Also counts the calls of another process; `seenAt` is the time of its last heartbeat. */
  readonly restoreSent: (sent: SentCalls, seenAt: number, now: number) => void
}

/**
 * Creates a limiter that allows at most `concurrency` calls at once and, if set, at most `requestsPerMinute` in any 60
 * seconds (a sliding log, so that every window of a minute respects the limit). It allows no call while the breaker is
 * open, and one while it is half-open. A real platform that has not answered for a minute gets two calls until one of
 * them shows that the account has credit: an account without credit is asked at most twice. `onEnded` runs for each
 * ended call.
 */
export const makeCallLimiter = (
  platform: Pick<AnswerPlatform, "concurrency" | "requestsPerMinute" | "simulated">,
  onEnded: () => void = () => {}
): CallLimiter => {
  const limit = platform.requestsPerMinute ?? Infinity
  /** Times at which calls were sent, in the order in which they began; Infinity if not sent yet */
  const begun: Array<{ at: number }> = []
  let running = 0
  let breaker = closedBreaker
  let paidAt: number | null = null
  // Calls that began before the breaker last changed its state say nothing about its present state
  let generation = 0
  let probing = false
  const forgetOldCalls = (now: number) => {
    while (begun.length > 0 && begun[0]!.at <= now - windowMs) begun.shift()
  }
  const canPay = (now: number) => platform.simulated || (paidAt !== null && now - paidAt < paidMs)
  const countSlots = (now: number): number => {
    switch (breakerState(breaker, now)) {
      case "closed":
        return (canPay(now) ? platform.concurrency : Math.min(firstCalls, platform.concurrency)) - running
      case "open":
        return 0
      case "half-open":
        return probing ? 0 : Math.min(1, platform.concurrency - running)
    }
  }
  const change = (next: Breaker) => {
    if (next.retryAt !== breaker.retryAt) generation++
    breaker = next
  }
  return {
    countFree: (now) => {
      forgetOldCalls(now)
      return Math.min(countSlots(now), limit - begun.length)
    },
    begin: () => {
      running++
      const entry = { at: Infinity }
      if (limit !== Infinity) begun.push(entry)
      const [own, probe] = [generation, breaker.retryAt !== null]
      let over = false
      if (probe) probing = true
      return {
        markSent: (now) => {
          entry.at = now
        },
        markEnded: (end, now) => {
          if (over) return
          over = true
          running--
          if (probe) probing = false
          if (entry.at === Infinity && limit !== Infinity) begun.splice(begun.indexOf(entry), 1)
          if (typeof end === "string") paidAt = end === "answered" ? now : null
          if (end !== null && own === generation) {
            change(
              typeof end === "string"
                ? recordBreakerAnswer(breaker, now)
                : recordBreakerFailure(breaker, now, end.retryAfterMs)
            )
          }
          onEnded()
        }
      }
    },
    findNextStart: (now) => {
      forgetOldCalls(now)
      const limited = begun.length < limit ? null : begun[0]!.at + windowMs
      const { retryAt } = breaker
      return retryAt === null || now >= retryAt ? limited : Math.max(retryAt, limited ?? 0)
    },
    readBreaker: () => breaker,
    restoreBreaker: (kept, now) => {
      generation++
      breaker = restoreBreaker(kept, now)
    },
    listSent: () => {
      const calls = Map.groupBy(begun.filter(({ at }) => at !== Infinity), ({ at }) => Math.floor(at / 1000))
      return {
        bySecond: [...calls].map(([second, sent]) => [second, sent.length] as const).sort(([a], [b]) => a - b),
        unsent: begun.filter(({ at }) => at === Infinity).length
      }
    },
    restoreSent: ({ bySecond, unsent }, seenAt, now) => {
      if (limit === Infinity) return
      const countOwnCalls = (second: number) => begun.filter(({ at }) => Math.floor(at / 1000) === second).length
      const restored = [
        // A process that gets this task back may itself have sent some of them
        ...bySecond.map(([second, calls]) => [second * 1000 + 999, calls - countOwnCalls(second)] as const),
        [seenAt + lateMs, unsent] as const
      ]
      begun.unshift(
        ...restored
          .flatMap(([at, calls]) => Array.from({ length: Math.max(0, calls) }, () => ({ at: Math.min(at, now) })))
          .sort((a, b) => a.at - b.at)
      )
    }
  }
}
