import type { AnswerPlatform } from "../ports/AnswerPlatform.ts"

const minuteMs = 60_000

/** What a platform's limits leave, for all who call it from here. Times in milliseconds. */
export interface CallLog {
  /** How many calls may begin now. */
  readonly free: (now: number) => number
  /** Notes that a call begins. */
  readonly begin: (now: number) => void
  /** Notes that a call has ended. */
  readonly end: () => void
  /** When the minute's limit lets the next call begin; null when it is not that which holds calls back. */
  readonly next: (now: number) => number | null
}

/**
 * At most `concurrency` calls at once and, where set, at most `requestsPerMinute` begun in any 60 seconds (a sliding
 * log, so that no minute, wherever it starts, holds more). `freed` is told of each call that ends.
 */
export const makeCallLog = (
  platform: Pick<AnswerPlatform, "concurrency" | "requestsPerMinute">,
  freed: () => void = () => {}
): CallLog => {
  const limit = platform.requestsPerMinute ?? Infinity
  const begun: Array<number> = []
  let running = 0
  const forget = (now: number) => {
    while (begun.length > 0 && begun[0]! <= now - minuteMs) begun.shift()
  }
  return {
    free: (now) => {
      forget(now)
      return Math.min(platform.concurrency - running, limit - begun.length)
    },
    begin: (now) => {
      running++
      if (limit !== Infinity) begun.push(now)
    },
    end: () => {
      running--
      freed()
    },
    next: (now) => {
      forget(now)
      return begun.length < limit ? null : begun[0]! + minuteMs
    }
  }
}
