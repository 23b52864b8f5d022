/** Limits of what somebody may try who is not signed in, for each network. */
import { SlidingLogs } from "../../middleware/SlidingLog.ts"

/** Unknown sessions and links a minute. */
const maxWrongTokens = 60
/** Links an hour that may be asked for by mail. */
const maxMailRequests = 10
/** Networks whose last tries are kept in memory. */
const maxNetworks = 10_000

export const makeThrottle = () => {
  const wrongTokens = new SlidingLogs(maxWrongTokens, 60_000, maxNetworks)
  const mailRequests = new SlidingLogs(maxMailRequests, 3_600_000, maxNetworks)
  return {
    /** Whether a token that is not known here may cost a query. `now` is in milliseconds of a monotonic clock. */
    mayTry: (network: string, now: number): boolean => wrongTokens.of(network).remaining(now) > 0,
    /** Counts a token that was wrong. */
    countWrong: (network: string, now: number): void => void wrongTokens.of(network).take(now),
    /** Counts a link that is asked for, and returns whether it may be. */
    mayAskForMail: (network: string, now: number): boolean => mailRequests.of(network).take(now) === 0
  }
}

export type Throttle = ReturnType<typeof makeThrottle>
