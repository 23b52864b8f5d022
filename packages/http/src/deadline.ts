/** Deadlines of requests. */
import { Cause, Effect, Fiber } from "effect"

/**
 * Runs the effect, or `orElse` once `ms` milliseconds have passed; `orElse` starts after the effect has been
 * interrupted and has ended. Like `Effect.timeoutOrElse`, but cheap enough for every request: an effect that ends
 * without waiting needs no timer.
 */
export const withDeadline =
  <A2, E2, R2>(ms: number, orElse: () => Effect.Effect<A2, E2, R2>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | A2, E | E2, R | R2> =>
    Effect.flatMap(Effect.forkChild(effect, { startImmediately: true }), (fiber): Effect.Effect<A | A2, E | E2, R2> => {
      const exit = fiber.pollUnsafe()
      if (exit !== undefined) return exit
      return Effect.callback<A | A2, E | E2, R2>((resume) => {
        let late = false
        const timer = setTimeout(() => {
          late = true
          fiber.interruptUnsafe()
        }, ms)
        fiber.addObserver((ended) => {
          clearTimeout(timer)
          resume(late ? orElse() : ended)
        })
        return Effect.suspend(() => {
          clearTimeout(timer)
          return Fiber.interrupt(fiber)
        })
      })
    })

/** Runs the effect, and fails with TimeoutError once `ms` milliseconds have passed. */
export const withTimeout = (ms: number) =>
  withDeadline(ms, () => Effect.fail(new Cause.TimeoutError(`Operation timed out after ${ms} ms`)))
