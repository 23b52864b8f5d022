/** Limits of what somebody may try who is not signed in, for each network. */
import { SlidingLogs } from "../../middleware/SlidingLog.ts"

/** Unknown sessions and links a minute. */
const maxWrongTokens = 60
/** Links an hour that may be asked for by mail. */
const maxMailRequests = 10
/** Networks whose last tries are kept in memory. */
const maxNetworks = 10_000

export const makeThrottle = () => {
  /** Tries of each network that have begun and not ended. */
  const open = new Map<string, number>()
  const wrongTokens = new SlidingLogs(maxWrongTokens, 60_000, maxNetworks)
  const mailRequests = new SlidingLogs(maxMailRequests, 3_600_000, maxNetworks)
  return {
    /**
     * Counts a try with a token that is not known here, before it costs a query, and returns whether it may be; each
     * that may be ends with `end`. `now` is in milliseconds of a monotonic clock.
     */
    begin: (network: string, now: number): boolean => {
      const running = open.get(network) ?? 0
      if (wrongTokens.of(network).remaining(now) <= running) return false
      open.set(network, running + 1)
      return true
    },
    /** Ends a try. Only one with a wrong token goes on counting. */
    end: (network: string, now: number, wasWrong: boolean): void => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
      if (wasWrong) wrongTokens.of(network).take(now)
    },
    /** Counts a link that is asked for, and returns whether it may be. */
    mayAskForMail: (network: string, now: number): boolean => mailRequests.of(network).take(now) === 0
  }
}

export type Throttle = ReturnType<typeof makeThrottle>
