import { makePollLoop, type PollLoop } from "@sov/core"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"

/** Runs the loop in a test's time; gives the times of its polls, in milliseconds. */
const polling = (
  poll: (polls: number) => Effect.Effect<number, string>,
  during: (loop: PollLoop, polls: ReadonlyArray<number>) => Effect.Effect<void>
) =>
  Effect.runPromise(
    Effect.gen(function*() {
      const loop = makePollLoop()
      const polls: Array<number> = []
      const fiber = yield* Effect.forkChild(
        loop.run({
          onFailure: "the poll failed",
          poll: (nowMs) => Effect.suspend(() => poll(polls.push(nowMs)))
        }),
        { startImmediately: true }
      )
      yield* during(loop, polls)
      yield* Fiber.interrupt(fiber)
      return polls
    }).pipe(Effect.provide(TestClock.layer()))
  )

it("the loop polls immediately, and again each time the wait that a poll returned is over", async () => {
  const waits = [300, 0, 700]
  const polls = await polling((n) => Effect.succeed(waits[n - 1] ?? Infinity), () => TestClock.adjust("1 hour"))
  expect(polls).toEqual([0, 300, 300, 1_000])
})

it("a wake-up ends the wait", async () => {
  const polls = await polling(() => Effect.succeed(Infinity), (loop) =>
    Effect.gen(function*() {
      yield* TestClock.adjust("10 seconds")
      loop.wake()
      yield* TestClock.adjust("10 seconds")
    }))
  expect(polls).toEqual([0, 10_000])
})

it("several wake-ups during a poll cause one more poll without waiting", async () => {
  const polls = await polling(
    (n) => n === 1 ? Effect.as(Effect.sleep("2 seconds"), Infinity) : Effect.succeed(Infinity),
    (loop) =>
      Effect.gen(function*() {
        yield* TestClock.adjust("1 second")
        loop.wake()
        loop.wake()
        yield* TestClock.adjust("1 hour")
      })
  )
  expect(polls).toEqual([0, 2_000])
})

it("a failing poll is repeated after a second, and wake-ups neither shorten the pause nor add a poll", async () => {
  const ends = [Effect.fail("away"), Effect.die(new Error("broken")), Effect.succeed(Infinity)]
  const polls = await polling((n) => ends[n - 1]!, (loop) =>
    Effect.gen(function*() {
      for (let tenth = 0; tenth < 19; tenth++) {
        yield* TestClock.adjust("100 millis")
        loop.wake()
      }
      yield* TestClock.adjust("1 hour")
    }))
  expect(polls).toEqual([0, 1_000, 2_000])
})

it("an interruption waits for an uninterruptible poll, and no further poll begins", async () => {
  let ended = 0
  const polls = await polling(
    () =>
      Effect.sleep("2 seconds").pipe(
        Effect.andThen(Clock.currentTimeMillis),
        Effect.tap((nowMs) => Effect.sync(() => ended = nowMs)),
        Effect.as(0),
        Effect.uninterruptible
      ),
    () =>
      Effect.gen(function*() {
        yield* TestClock.adjust("1 second")
        yield* Effect.forkChild(TestClock.adjust("1 hour"))
      })
  )
  expect([polls, ended]).toEqual([[0], 2_000])
})
