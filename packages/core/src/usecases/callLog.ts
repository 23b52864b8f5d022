import type { AnswerPlatform } from "../ports/AnswerPlatform.ts"

const minuteMs = 60_000

/**
 * What a platform's limits leave: at most `concurrency` calls at once and, where set, at most `requestsPerMinute` begun
 * in any 60 seconds (a sliding log, so that no minute, wherever it starts, holds more). Times in milliseconds.
 */
export const makeCallLog = (platform: Pick<AnswerPlatform, "concurrency" | "requestsPerMinute">) => {
  const { concurrency, requestsPerMinute } = platform
  const begun: Array<number> = []
  const forget = (now: number) => {
    while (begun.length > 0 && begun[0]! <= now - minuteMs) begun.shift()
  }
  return {
    /** How many calls may begin now beside those in flight. */
    free: (now: number, inFlight: number): number => {
      if (requestsPerMinute === null) return concurrency - inFlight
      forget(now)
      return Math.min(concurrency - inFlight, requestsPerMinute - begun.length)
    },
    /** Notes that calls begin. */
    begin: (now: number, calls: number): void => {
      if (requestsPerMinute !== null) { for (let n = 0; n < calls; n++) begun.push(now) }
    },
    /** When the minute's limit lets the next call begin; `now` when it does already. */
    next: (now: number): number => {
      forget(now)
      return requestsPerMinute === null || begun.length < requestsPerMinute ? now : begun[0]! + minuteMs
    }
  }
}
