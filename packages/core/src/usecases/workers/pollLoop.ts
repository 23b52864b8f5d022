import { Clock, Effect, Latch } from "effect"

/** Workers poll at least this often: a notification may be lost, and what failed may be due again. */
export const pollIntervalMs = 2_000

/**
 * The pause after a poll that failed. A wake does not shorten it: calls and e-mails in flight wake their loop as they
 * end, and while the database is away each of them would ask it once more. Nothing is lost by that, since a poll
 * follows anyway, sooner than `pollIntervalMs`.
 */
const failurePause = "1 second"

/** A loop that polls for work, and what wakes it. */
export interface PollLoop {
  /** Ends the present wait. During a poll: that poll is followed by another one without a wait. */
  readonly wake: () => void
  /**
   * Polls until it is interrupted: once at the beginning, then each time the wait is over or `wake` was called. `poll`
   * gets the time of its start and returns how long to wait after it; both in milliseconds, Infinity = until `wake`. A
   * poll that fails or dies is logged (debug, as `onFailure`) and followed by the next one after a second, not earlier.
   */
  readonly run: <E, R>(options: {
    readonly onFailure: string
    readonly poll: (nowMs: number) => Effect.Effect<number, E, R>
  }) => Effect.Effect<never, never, R>
}

/** Makes a loop that has not begun; `wake` may be called before `run`. */
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
