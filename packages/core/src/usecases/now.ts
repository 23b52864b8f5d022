import { Clock, Effect } from "effect"

/** The present time of Effect's clock in milliseconds, used for every stored time. */
export const now: Effect.Effect<Date> = Effect.map(Clock.currentTimeMillis, (ms) => new Date(ms))

/** The time of a monotonic clock in milliseconds, for durations. */
export const monotonicMs: Effect.Effect<number> = Effect.map(
  Clock.monotonicTimeNanos,
  (nanos) => Number(nanos / 1_000_000n)
)
