import { type Breaker, breakerAnswered, breakerFailed, breakerState, closedBreaker } from "../domain/Breaker.ts"
import type { AnswerPlatform } from "../ports/AnswerPlatform.ts"

/** A minute, and a second for calls that take less time to arrive than those before them did. */
const windowMs = 61_000

/** How a call ended, as far as it says whether the platform works. */
export type CallEnd = "answered" | { readonly retryAfterMs: number | null }

/** A call that has begun: it counts against the minute's limit from when it was sent. */
export interface Call {
  readonly sent: (now: number) => void
  /** To be called once, whether it was sent or not; null = its end says nothing of the platform. */
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
  /** Takes over the breaker of who called before: one that is not closed lets one call try at once. */
  readonly restore: (breaker: Breaker) => void
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
      if (probe) probing = true
      return {
        sent: (now) => {
          entry.at = now
        },
        ended: (end, now) => {
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
    restore: (kept) => {
      era++
      breaker = kept.retryAt === null ? kept : { ...kept, retryAt: 0 }
    }
  }
}
