/**
 * The breaker of one platform: five failures in a row stop its calls for a pause that grows; then one call at a time
 * tries whether it answers again. Times in milliseconds.
 *
 * `effect/persistence` has a breaker around a call; here the number of calls that may begin is needed before cells are
 * claimed, because a claim counts as an attempt.
 */
export interface Breaker {
  /** Failures in a row. */
  readonly failures: number
  /** When the first of them came; null if absent. */
  readonly failingSince: number | null
  /** While tripped: when a call may try again. Null = closed. */
  readonly retryAt: number | null
  /** Length of the last pause; 0 = none yet. */
  readonly pauseMs: number
  /** When it closed last. */
  readonly closedAt: number
}

export type BreakerState = "closed" | "open" | "half-open"

export const closedBreaker: Breaker = { failures: 0, failingSince: null, retryAt: null, pauseMs: 0, closedAt: 0 }

/** Failures in a row that trip it. */
export const tripsAfter = 5
const firstPauseMs = 5_000
const maxPauseMs = 60_000
/** The longest `Retry-After` that is honoured. */
const maxRetryAfterMs = 3_600_000

/** `half-open` = the pause is over, and one call may try. */
export const breakerState = ({ retryAt }: Breaker, now: number): BreakerState =>
  retryAt === null ? "closed" : now < retryAt ? "open" : "half-open"

/** A pause grows from the last one, unless the breaker has been closed for as long as that was. */
const computeNextPause = ({ closedAt, pauseMs, retryAt }: Breaker, now: number): number =>
  pauseMs === 0 || (retryAt === null && now - closedAt >= pauseMs)
    ? firstPauseMs
    : Math.min(2 * pauseMs, maxPauseMs)

/** After a call that failed at `now`; the platform may have asked for a pause of `retryAfterMs` itself. */
export const recordBreakerFailure = (breaker: Breaker, now: number, retryAfterMs: number | null): Breaker => {
  const failing = { ...breaker, failures: breaker.failures + 1, failingSince: breaker.failingSince ?? now }
  if (breaker.retryAt === null && failing.failures < tripsAfter) return failing
  const pauseMs = computeNextPause(breaker, now)
  return { ...failing, pauseMs, retryAt: now + Math.max(pauseMs, retryAfterMs ?? 0) }
}

/**
 * Restores a breaker that another process saved. Caps its pause, in case the clock of that process was ahead.
 */
export const restoreBreaker = (breaker: Breaker, now: number): Breaker =>
  breaker.retryAt === null ? breaker : { ...breaker, retryAt: Math.min(breaker.retryAt, now + maxRetryAfterMs) }

/** After a call that the platform answered, whatever the answer. */
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
