import { addAttendance, type AttendanceIntervals, sumAttendedMs } from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

/** Polls every two seconds from `from` to `to`, in seconds. */
const polling = (before: AttendanceIntervals, from: number, to: number): AttendanceIntervals => {
  let intervals = before
  for (let at = from; at <= to; at += 2) intervals = addAttendance(intervals, at * 1000)
  return intervals
}

it("attended time is only the time in which a worker polled the platform", () => {
  const intervals = polling(polling([], 100, 220), 40_000, 40_060)
  expect(intervals).toHaveLength(2)
  expect(sumAttendedMs(intervals, 0) / 1000).toBeCloseTo(180, -1)
  // Only what is later than `since` counts
  expect(sumAttendedMs(intervals, 200_000) / 1000).toBeCloseTo(80, -1)
  expect(sumAttendedMs(intervals, 50_000_000)).toBe(0)
})

it("a short gap, for example when another worker takes over, does not end an interval of attendance", () => {
  const intervals = polling(polling([], 0, 60), 80, 140)
  expect(intervals).toHaveLength(1)
  expect(sumAttendedMs(intervals, 0) / 1000).toBeCloseTo(140, -1)
})

it("the intervals of attendance start over if the clock was set back", () => {
  expect(addAttendance([[5_000_000, 6_000_000]], 1_000)).toEqual([[1_000, 1_000]])
})

describe("intervals of attendance, however workers come and go", () => {
  const spans = fc.array(
    fc.record({ gap: fc.integer({ min: 31, max: 9_000 }), work: fc.integer({ min: 0, max: 90 }) }),
    {
      maxLength: 200
    }
  )

  it("at most 50 intervals are kept, no attended time is lost, and none is invented", () => {
    fc.assert(fc.property(spans, (sessions) => {
      let intervals: AttendanceIntervals = []
      let [now, worked] = [0, 0]
      for (const { gap, work } of sessions) {
        now += gap
        intervals = polling(intervals, now, now + 2 * work)
        now += 2 * work
        worked += 2 * work
        expect(intervals.length).toBeLessThanOrEqual(50)
      }
      expect(sumAttendedMs(intervals, 0)).toBeLessThanOrEqual(worked * 1000)
      // Of each session the last poll may not have counted
      expect(sumAttendedMs(intervals, 0)).toBeGreaterThanOrEqual((worked - 6 * sessions.length) * 1000)
    }))
  })
})
