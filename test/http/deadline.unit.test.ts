/** Deadlines of requests. */
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { expect, it, vi } from "vitest"
import { withDeadline, withTimeout } from "../../packages/http/src/deadline.ts"

const late = withDeadline(1, () => Effect.succeed("late"))

it("withDeadline returns the value, error or defect of an effect that ends in time", async () => {
  const exits = await Effect.runPromise(Effect.forEach(
    [Effect.succeed("now"), Effect.as(Effect.yieldNow, "soon"), Effect.fail("no"), Effect.die("never")],
    (effect) => Effect.exit(withDeadline(10_000, () => Effect.succeed("late"))(effect as Effect.Effect<string>))
  ))
  expect(exits).toEqual([Exit.succeed("now"), Exit.succeed("soon"), Exit.fail("no"), Exit.die("never")])
})

it("an effect that ends without waiting sets no timer, and other effects clear their timer", () => {
  const set = vi.spyOn(globalThis, "setTimeout")
  const clear = vi.spyOn(globalThis, "clearTimeout")
  try {
    Effect.runSync(withDeadline(10_000, () => Effect.void)(Effect.succeed(1)))
    expect(set).not.toHaveBeenCalled()
    const gate = Deferred.makeUnsafe<void>()
    const fiber = Effect.runFork(withDeadline(10_000, () => Effect.void)(Deferred.await(gate)))
    expect(set).toHaveBeenCalledTimes(1)
    Effect.runSync(Deferred.succeed(gate, undefined))
    expect(fiber.pollUnsafe()).toEqual(Exit.void)
    expect(clear).toHaveBeenCalledWith(set.mock.results[0]!.value)
  } finally {
    set.mockRestore()
    clear.mockRestore()
  }
})

it("when the deadline passes, the effect is interrupted, and the result waits until it has ended", async () => {
  let ended = false
  const slow = Effect.onInterrupt(Effect.never, () => Effect.sync(() => ended = true).pipe(Effect.delay(5)))
  expect(await Effect.runPromise(late(slow))).toBe("late")
  expect(ended).toBe(true)
  // An effect that completes while it is being interrupted still counts as late
  expect(await Effect.runPromise(late(Effect.uninterruptible(Effect.as(Effect.sleep(20), "done"))))).toBe("late")
  expect(await Effect.runPromise(Effect.flip(withTimeout(1)(Effect.never)))).toBeInstanceOf(Cause.TimeoutError)
})

it("the effect ends when the request is abandoned", async () => {
  let ended = false
  const started = Deferred.makeUnsafe<void>()
  const slow = Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
    Effect.onInterrupt(() => Effect.sync(() => ended = true))
  )
  const fiber = Effect.runFork(withDeadline(10_000, () => Effect.void)(slow))
  await Effect.runPromise(Effect.andThen(Deferred.await(started), Fiber.interrupt(fiber)))
  expect(ended).toBe(true)
})
