import { Clock, Effect } from "effect"

/** The current time of Effect's clock, in milliseconds precision: what every row is stamped with. */
export const now: Effect.Effect<Date> = Effect.map(Clock.currentTimeMillis, (ms) => new Date(ms))

/** Milliseconds of a clock that never goes back, for how long something takes. */
export const monotonicMs: Effect.Effect<number> = Effect.map(
  Clock.monotonicTimeNanos,
  (nanos) => Number(nanos / 1_000_000n)
)
