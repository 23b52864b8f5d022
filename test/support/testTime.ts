/** Time that a test moves, for work on a real database and real sockets: those go on in real time between the steps. */
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"

/** Real time, in milliseconds. */
const breath = (ms: number) => Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, ms)))

/** Moves the clock by `stepMs` again and again, with a breath in between, until `done` or after `most` steps. */
export const passTime = <E, R>(
  done: Effect.Effect<boolean, E, R>,
  { breathMs = 3, most, stepMs }: { readonly stepMs: number; readonly most: number; readonly breathMs?: number }
) =>
  Effect.gen(function*() {
    for (let step = 0; step < most; step++) {
      if (yield* done) return step * stepMs
      yield* TestClock.adjust(stepMs)
      yield* breath(breathMs)
    }
    return yield* Effect.die(new Error(`not done after ${most * stepMs} ms`))
  })

/** Lets so many minutes pass, whatever happens. */
export const passMinutes = Effect.fnUntraced(function*(count: number) {
  const stepMs = 5_000
  const until = (yield* Clock.currentTimeMillis) + count * 60_000
  const most = 1 + count * 60_000 / stepMs
  yield* passTime(Effect.map(Clock.currentTimeMillis, (ms) => ms >= until), { stepMs, most })
})

/** The clock of a machine that goes wrong by so many milliseconds (negative = behind). */
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
