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
