import { Clock, Effect, Latch } from "effect"

/** Workers poll at least this often, because a notification may be lost and failed work may be due again. */
export const pollIntervalMs = 2_000

/**
 * The pause after a failed poll. `wake` does not shorten it: calls and e-mails in flight wake their loop when they end,
 * and while the database is unavailable, each of them would cause another query. The next poll still comes sooner than
 * after `pollIntervalMs`.
 */
const failurePause = "1 second"

/** A loop that polls for work and can be woken. */
export interface PollLoop {
  /** Ends the current wait. During a poll, it makes the next poll follow without waiting. */
  readonly wake: () => void
  /**
   * Polls until it is interrupted: once at the start, then each time the wait is over or `wake` was called. `poll`
   * receives the time of its start and returns how long to wait after it, both in milliseconds; Infinity waits until
   * `wake`. A poll that fails or dies is logged (at debug level, as `onFailure`), and the next poll follows after a
   * second.
   */
  readonly run: <E, R>(options: {
    readonly onFailure: string
    readonly poll: (nowMs: number) => Effect.Effect<number, E, R>
  }) => Effect.Effect<never, never, R>
}

/** Creates a loop that has not started; `wake` may be called before `run`. */
export const makePollLoop = (): PollLoop => {
  const latch = Latch.makeUnsafe(false)
  const wait = (ms: number) => ms === Infinity ? latch.await : Effect.raceFirst(latch.await, Effect.sleep(ms))
  return {
    wake: () => void latch.openUnsafe(),
    run: ({ onFailure, poll }) =>
      Effect.gen(function*() {
        latch.closeUnsafe()
        yield* wait(Math.max(0, yield* poll(yield* Clock.currentTimeMillis)))
      }).pipe(
        Effect.catchCause((cause) => Effect.andThen(Effect.logDebug(onFailure, cause), Effect.sleep(failurePause))),
        Effect.forever
      )
  }
}
