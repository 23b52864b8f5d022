/** What a process keeps: how long, how much, and for which database. */
import { it } from "@effect/vitest"
import { makeMemory } from "@sov/core/testing"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"

it.effect("a cached result is read again once it expires, and after the clock was set back", () =>
  Effect.gen(function*() {
    const memory = makeMemory<number>(9).of({})
    let reads = 0
    const readAt = Effect.fnUntraced(function*(ms: number) {
      yield* TestClock.setTime(ms)
      return yield* memory.recall("a", 1000, Effect.sync(() => ++reads))
    })
    expect(yield* readAt(5000)).toBe(1)
    expect(yield* readAt(5999)).toBe(1)
    expect(yield* readAt(6000)).toBe(2)
    expect(yield* readAt(5999)).toBe(3)
    expect(yield* readAt(6000)).toBe(3)
    expect(yield* memory.recall("b", 1000, Effect.sync(() => ++reads))).toBe(4)
  }))

it("a full cache drops the oldest results first, by their sizes, but never the newest", () => {
  const memory = makeMemory<number>(10, (size) => size).of({})
  const kept = () => ["a", "b", "c", "d"].filter((key) => memory.find(key) !== undefined).join("")
  const steps = [["a", 4, "a"], ["b", 6, "ab"], ["c", 4, "bc"], ["b", 1, "bc"], ["a", 5, "abc"]] as const
  for (const [key, size, after] of steps) {
    memory.keep(key, size)
    expect(kept()).toBe(after)
  }
  memory.keep("d", 11)
  expect(kept()).toBe("d")
  memory.keep("a", 1)
  expect(kept()).toBe("a")
})

it("the cache separates results of two databases with the same ids", () => {
  const memories = makeMemory<number>(1)
  const [one, other] = [{}, {}]
  memories.of(one).keep("a", 1)
  expect(memories.of(other).find("a")).toBeUndefined()
  memories.of(other).keep("a", 2)
  expect(memories.of(one).find("a")).toBe(1)
})
