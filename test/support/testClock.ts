/**
 * A clock that a test advances, for work with a real database and real sockets, which run in real time between the
 * steps.
 */
import { Clock, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"

/**
 * Lets real work continue for some milliseconds, and for as long as the database needs for three statements. On a busy
 * machine both take longer, so the clock does not run ahead of the work.
 */
const letWorkGoOn = (ms: number) =>
  Effect.gen(function*() {
    yield* Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, ms)))
    const sql = yield* Effect.serviceOption(SqlClient.SqlClient)
    if (Option.isSome(sql)) yield* Effect.orDie(Effect.replicateEffect(sql.value`select 1`, 3, { discard: true }))
  })

/**
 * Advances the clock by `stepMs` repeatedly, with some real time in between, until `done` or after `maxSteps` steps.
 */
export const advanceClockUntil = <E, R>(
  done: Effect.Effect<boolean, E, R>,
  { realMsPerStep = 3, maxSteps, stepMs }: {
    readonly stepMs: number
    readonly maxSteps: number
    readonly realMsPerStep?: number
  }
) =>
  Effect.gen(function*() {
    for (let step = 0; step < maxSteps; step++) {
      if (yield* done) return step * stepMs
      yield* TestClock.adjust(stepMs)
      yield* letWorkGoOn(realMsPerStep)
    }
    return yield* Effect.die(new Error(`not done after ${maxSteps * stepMs} ms`))
  })

/** Advances the clock by the given minutes. */
export const advanceMinutes = Effect.fnUntraced(function*(count: number) {
  const stepMs = 5_000
  const until = (yield* Clock.currentTimeMillis) + count * 60_000
  const maxSteps = 1 + count * 60_000 / stepMs
  yield* advanceClockUntil(Effect.map(Clock.currentTimeMillis, (ms) => ms >= until), { stepMs, maxSteps })
})
