import { it } from "@effect/vitest"
import { makeCallGate } from "@sov/core"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"

it.effect("lets at most requestsPerMinute calls begin in any 60 seconds", () =>
  Effect.gen(function*() {
    const gate = makeCallGate({ concurrency: 8, requestsPerMinute: 3 })
    const begun: Array<number> = []
    const call = gate(Effect.flatMap(Clock.currentTimeMillis, (ms) => Effect.sync(() => begun.push(ms / 1000))))
    // The first call comes late in a clock minute: a window that starts with the minute would let six through at once.
    yield* TestClock.adjust("55 seconds")
    const fiber = yield* Effect.forkChild(
      Effect.all(Array.from({ length: 8 }, () => call), { concurrency: "unbounded" })
    )
    for (let second = 0; second < 200; second++) yield* TestClock.adjust("1 second")
    yield* Fiber.join(fiber)
    expect(begun).toEqual([55, 55, 55, 115, 115, 115, 175, 175])
  }))

it.effect("lets at most `concurrency` calls run at once", () =>
  Effect.gen(function*() {
    const gate = makeCallGate({ concurrency: 3, requestsPerMinute: null })
    let running = 0
    let most = 0
    const call = gate(Effect.gen(function*() {
      most = Math.max(most, ++running)
      yield* Effect.sleep("1 second")
      running--
    }))
    const fiber = yield* Effect.forkChild(
      Effect.all(Array.from({ length: 10 }, () => call), { concurrency: "unbounded" })
    )
    yield* TestClock.adjust("4 seconds")
    yield* Fiber.join(fiber)
    expect(most).toBe(3)
  }))
