import {
  type Breaker,
  breakerAnswered,
  breakerFailed,
  breakerRestored,
  breakerState,
  closedBreaker
} from "../../domain/platforms/Breaker.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import type { SentCalls } from "../../ports/HealthStore.ts"

/** A minute, and a second for calls that take less time to arrive than those before them did. */
const windowMs = 61_000
/** Calls that were about to be sent when a process was heard of last were sent, or never will be, within this time. */
const lateMs = 10_000

/** How a call ended, as far as it says whether the platform works. */
export type CallEnd = "answered" | { readonly retryAfterMs: number | null }

/** A call that has begun: it counts against the minute's limit from when it was sent. */
export interface Call {
  readonly sent: (now: number) => void
  /** To be called whether it was sent or not, the first time counts; null = its end says nothing of the platform. */
  readonly ended: (end: CallEnd | null, now: number) => void
}

/** What a platform's limits and its breaker leave, for all who call it from here. Times in milliseconds. */
export interface CallLog {
  /** How many calls may begin now. */
  readonly free: (now: number) => number
  readonly begin: () => Call
  /** When limit or pause lets the next call begin; null when it is not time that holds calls back. */
  readonly next: (now: number) => number | null
  readonly breaker: () => Breaker
  /** Takes over the breaker of who called before, with what is left of its pause. */
  readonly restore: (breaker: Breaker, now: number) => void
  /** What counts against the minute's limit; nothing where none is set. */
  readonly counted: () => SentCalls
  /** Counts what another process sent as well; it was heard of last at `seenAt`. */
  readonly restoreCounted: (sent: SentCalls, seenAt: number, now: number) => void
}

/**
 * At most `concurrency` calls at once and, where set, at most `requestsPerMinute` sent in any 60 seconds (a sliding
 * log, so that no minute, wherever it starts, holds more); none while the breaker is open, one while it is half-open.
 * `freed` is told of each call that ends.
 */
export const makeCallLog = (
  platform: Pick<AnswerPlatform, "concurrency" | "requestsPerMinute">,
  freed: () => void = () => {}
): CallLog => {
  const limit = platform.requestsPerMinute ?? Infinity
  /** When calls were sent, in the order in which they began; Infinity = not yet. */
  const begun: Array<{ at: number }> = []
  let running = 0
  let breaker = closedBreaker
  // Calls that began before the breaker's last change of state say nothing about what came after.
  let era = 0
  let probing = false
  const forget = (now: number) => {
    while (begun.length > 0 && begun[0]!.at <= now - windowMs) begun.shift()
  }
  const slots = (now: number): number => {
    switch (breakerState(breaker, now)) {
      case "closed":
        return platform.concurrency - running
      case "open":
        return 0
      case "half-open":
        return probing ? 0 : Math.min(1, platform.concurrency - running)
    }
  }
  const change = (next: Breaker) => {
    if (next.retryAt !== breaker.retryAt) era++
    breaker = next
  }
  return {
    free: (now) => {
      forget(now)
      return Math.min(slots(now), limit - begun.length)
    },
    begin: () => {
      running++
      const entry = { at: Infinity }
      if (limit !== Infinity) begun.push(entry)
      const [own, probe] = [era, breaker.retryAt !== null]
      let over = false
      if (probe) probing = true
      return {
        sent: (now) => {
          entry.at = now
        },
        ended: (end, now) => {
          if (over) return
          over = true
          running--
          if (probe) probing = false
          if (entry.at === Infinity && limit !== Infinity) begun.splice(begun.indexOf(entry), 1)
          if (end !== null && own === era) {
            change(end === "answered" ? breakerAnswered(breaker, now) : breakerFailed(breaker, now, end.retryAfterMs))
          }
          freed()
        }
      }
    },
    next: (now) => {
      forget(now)
      const limited = begun.length < limit ? null : begun[0]!.at + windowMs
      const { retryAt } = breaker
      return retryAt === null || now >= retryAt ? limited : Math.max(retryAt, limited ?? 0)
    },
    breaker: () => breaker,
    restore: (kept, now) => {
      era++
      breaker = breakerRestored(kept, now)
    },
    counted: () => {
      const calls = Map.groupBy(begun.filter(({ at }) => at !== Infinity), ({ at }) => Math.floor(at / 1000))
      return {
        bySecond: [...calls].map(([second, sent]) => [second, sent.length] as const).sort(([a], [b]) => a - b),
        unsent: begun.filter(({ at }) => at === Infinity).length
      }
    },
    restoreCounted: ({ bySecond, unsent }, seenAt, now) => {
      if (limit === Infinity) return
      const own = (second: number) => begun.filter(({ at }) => Math.floor(at / 1000) === second).length
      const others = [
        // One that came back may have sent some of them itself
        ...bySecond.map(([second, calls]) => [second * 1000 + 999, calls - own(second)] as const),
        [seenAt + lateMs, unsent] as const
      ]
      begun.unshift(
        ...others
          .flatMap(([at, calls]) => Array.from({ length: Math.max(0, calls) }, () => ({ at: Math.min(at, now) })))
          .sort((a, b) => a.at - b.at)
      )
    }
  }
}
