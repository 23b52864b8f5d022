/**
 * The breaker of one platform. Five failures in a row stop its calls for a pause, which grows each time; after the
 * pause, one call at a time tests whether the platform answers again. Times are in milliseconds.
 *
 * The breaker of `effect/persistence` wraps a call. It is not used, because here the number of calls that may begin
 * must be known before cells are claimed: a claim counts as an attempt.
 */
export interface Breaker {
  /** Number of failures in a row. */
  readonly failures: number
  /** When the first of these failures occurred; null without failures. */
  readonly failingSince: number | null
  /** When a call may try again; null while the breaker is closed. */
  readonly retryAt: number | null
  /** Length of the last pause; 0 before the first pause. */
  readonly pauseMs: number
  /** When the breaker last closed. */
  readonly closedAt: number
}

export type BreakerState = "closed" | "open" | "half-open"

export const closedBreaker: Breaker = { failures: 0, failingSince: null, retryAt: null, pauseMs: 0, closedAt: 0 }

/** Number of failures in a row that trip the breaker. */
export const tripsAfter = 5
const firstPauseMs = 5_000
const maxPauseMs = 60_000
/** Maximum pause that a platform's `Retry-After` can cause. */
const maxRetryAfterMs = 3_600_000

/** The state of the breaker. `half-open`: the pause is over, and one call may test the platform. */
export const breakerState = ({ retryAt }: Breaker, now: number): BreakerState =>
  retryAt === null ? "closed" : now < retryAt ? "open" : "half-open"

/**
 * The length of the next pause: longer than the last pause, up to the maximum; the first length again if the breaker
 * was closed for at least as long as the last pause.
 */
const computeNextPause = ({ closedAt, pauseMs, retryAt }: Breaker, now: number): number =>
  pauseMs === 0 || (retryAt === null && now - closedAt >= pauseMs)
    ? firstPauseMs
    : Math.min(2 * pauseMs, maxPauseMs)

/** The breaker after a call that failed at `now`; `retryAfterMs` is the pause that the platform asked for. */
export const recordBreakerFailure = (breaker: Breaker, now: number, retryAfterMs: number | null): Breaker => {
  const failing = { ...breaker, failures: breaker.failures + 1, failingSince: breaker.failingSince ?? now }
  if (breaker.retryAt === null && failing.failures < tripsAfter) return failing
  const pauseMs = computeNextPause(breaker, now)
  return { ...failing, pauseMs, retryAt: now + Math.max(pauseMs, retryAfterMs ?? 0) }
}

/** Restores a breaker that another process saved. Limits its pause, in case that process's clock was ahead. */
export const restoreBreaker = (breaker: Breaker, now: number): Breaker =>
  breaker.retryAt === null ? breaker : { ...breaker, retryAt: Math.min(breaker.retryAt, now + maxRetryAfterMs) }

/** The breaker after a call that the platform answered, whatever the answer. */
export const recordBreakerAnswer = (breaker: Breaker, now: number): Breaker =>
  breaker.failures === 0
    ? breaker
    : {
      ...breaker,
      failures: 0,
      failingSince: null,
      retryAt: null,
      closedAt: breaker.retryAt === null ? breaker.closedAt : now
    }
