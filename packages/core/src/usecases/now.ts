import { Clock, Effect } from "effect"

/** The present time of Effect's clock in milliseconds, used for every stored time. */
export const now: Effect.Effect<Date> = Effect.map(Clock.currentTimeMillis, (ms) => new Date(ms))

/** Milliseconds of a monotonic clock, for durations. */
export const monotonicMs: Effect.Effect<number> = Effect.map(
  Clock.monotonicTimeNanos,
  (nanos) => Number(nanos / 1_000_000n)
)
