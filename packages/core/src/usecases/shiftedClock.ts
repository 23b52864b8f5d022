import { type Clock, Effect } from "effect"

/**
 * The clock, shifted by `byMs` milliseconds (negative: into the past). Only the time shifts; sleeping takes as long as
 * with the original clock.
 */
export const shiftedClock = (clock: Clock.Clock, byMs: number): Clock.Clock => {
  const nanos = BigInt(byMs) * 1_000_000n
  return {
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + byMs,
    currentTimeMillis: Effect.map(clock.currentTimeMillis, (time) => time + byMs),
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe() + nanos,
    currentTimeNanos: Effect.map(clock.currentTimeNanos, (time) => time + nanos),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
}
