/** How often and when to repeat a call to a platform that gave no answer. */
import { Duration } from "effect"

/** Maximum number of calls for one cell, including the first. */
export const maxAttempts = 5

/**
 * How long after the first call for a cell another call may begin. A platform that has not answered for this long,
 * while workers polled for it, is given up: the open cells of its scans fail.
 */
export const retryWindow = Duration.minutes(10)

const minDelayMs = 1_000
const maxDelayMs = 60_000

/**
 * Milliseconds to wait after attempt number `attempts` failed: exponential from 1 s to 60 s, lengthened by up to half
 * (`jitter` in 0–1), and at least the `retryAfterMs` that the platform asked for. Null if there is no retry, because
 * there were `maxAttempts` attempts or the next call would begin after the `retryWindow`.
 */
export const retryDelayMs = (options: {
  readonly attempts: number
  readonly sinceFirstMs: number
  readonly retryAfterMs: number | null
  readonly jitter: number
}): number | null => {
  if (options.attempts >= maxAttempts) return null
  const backoff = Math.min(maxDelayMs, minDelayMs * 2 ** (options.attempts - 1))
  const delay = Math.max(backoff * (1 + options.jitter / 2), options.retryAfterMs ?? 0)
  return options.sinceFirstMs + delay > Duration.toMillis(retryWindow) ? null : Math.ceil(delay)
}
