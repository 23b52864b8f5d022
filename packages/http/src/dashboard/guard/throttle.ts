/** Limits per network for visitors without a session. */
import { SlidingLogs } from "../../middleware/SlidingLog.ts"

/** Allowed attempts with unknown sessions or links per minute. */
const maxWrongTokens = 60
/** Allowed requests for mailed links per hour. */
const maxMailRequests = 10
/** Maximum number of networks kept in memory. */
const maxNetworks = 10_000

export const makeThrottle = () => {
  /** Attempts in progress per network. */
  const open = new Map<string, number>()
  const wrongTokens = new SlidingLogs(maxWrongTokens, 60_000, maxNetworks)
  const mailRequests = new SlidingLogs(maxMailRequests, 3_600_000, maxNetworks)
  return {
    /**
     * Counts an attempt with an unknown token before it causes a query, and returns whether it is allowed. Each allowed
     * attempt must be completed with `end`. `now` is in milliseconds of a monotonic clock.
     */
    begin: (network: string, now: number): boolean => {
      const running = open.get(network) ?? 0
      if (wrongTokens.of(network).remaining(now) <= running) return false
      open.set(network, running + 1)
      return true
    },
    /** Completes an attempt. Only attempts with a wrong token remain counted. */
    end: (network: string, now: number, wasWrong: boolean): void => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
      if (wasWrong) wrongTokens.of(network).take(now)
    },
    /** Counts a request for a mailed link, and returns whether it is allowed. */
    mayAskForMail: (network: string, now: number): boolean => mailRequests.of(network).take(now) === 0
  }
}

export type Throttle = ReturnType<typeof makeThrottle>
