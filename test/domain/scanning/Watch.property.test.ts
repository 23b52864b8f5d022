import { lookedAt, type Watch, watchedMs } from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

/** Looks every two seconds from `from` to `to`, in seconds. */
const looking = (watch: Watch, from: number, to: number): Watch => {
  let seen = watch
  for (let at = from; at <= to; at += 2) seen = lookedAt(seen, at * 1000)
  return seen
}

it("counts the time in which somebody looked, and none between", () => {
  const watch = looking(looking([], 100, 220), 40_000, 40_060)
  expect(watch).toHaveLength(2)
  expect(watchedMs(watch, 0) / 1000).toBeCloseTo(180, -1)
  // Only what is later than `since` counts
  expect(watchedMs(watch, 200_000) / 1000).toBeCloseTo(80, -1)
  expect(watchedMs(watch, 50_000_000)).toBe(0)
})

it("goes on over a short gap, as a hand-over makes it", () => {
  const watch = looking(looking([], 0, 60), 80, 140)
  expect(watch).toHaveLength(1)
  expect(watchedMs(watch, 0) / 1000).toBeCloseTo(140, -1)
})

it("begins anew when the clock was set back", () => {
  expect(lookedAt([[5_000_000, 6_000_000]], 1_000)).toEqual([[1_000, 1_000]])
})

describe("however workers come and go", () => {
  const spans = fc.array(
    fc.record({ gap: fc.integer({ min: 31, max: 9_000 }), work: fc.integer({ min: 0, max: 90 }) }),
    {
      maxLength: 200
    }
  )

  it("stays small, forgets nothing that was waited, and never counts more than was", () => {
    fc.assert(fc.property(spans, (sessions) => {
      let watch: Watch = []
      let [now, worked] = [0, 0]
      for (const { gap, work } of sessions) {
        now += gap
        watch = looking(watch, now, now + 2 * work)
        now += 2 * work
        worked += 2 * work
        expect(watch.length).toBeLessThanOrEqual(50)
      }
      expect(watchedMs(watch, 0)).toBeLessThanOrEqual(worked * 1000)
      // Of each session the last look may not have counted
      expect(watchedMs(watch, 0)).toBeGreaterThanOrEqual((worked - 6 * sessions.length) * 1000)
    }))
  })
})
