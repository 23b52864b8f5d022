import { type PlainTiming, plainTimingFromCron, plainTimingToCron, weekdays } from "@sov/core"
import { Cron } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"

const times = fc.tuple(fc.nat(23), fc.nat(59)).map((parts) => parts.map((n) => String(n).padStart(2, "0")).join(":"))
const timings = fc.oneof(
  times.map((time): PlainTiming => ({ every: "day", time })),
  fc.tuple(times, fc.constantFrom(...weekdays)).map(([time, weekday]): PlainTiming => ({
    every: "week",
    time,
    weekday
  }))
)

it("a plain timing can be read back from its cron expression", () => {
  fc.assert(fc.property(timings, (timing) => {
    expect(plainTimingFromCron(plainTimingToCron(timing)!)).toEqual(timing)
  }))
})

it("a plain timing runs at its time, on its day", () => {
  fc.assert(fc.property(timings, (timing) => {
    const next = Cron.next(Cron.parseUnsafe(plainTimingToCron(timing)!, "UTC"), new Date("2026-11-22T00:00:00Z"))
    expect(next.toISOString().slice(11, 16)).toBe(timing.time)
    if (timing.every === "week") {
      expect(new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" }).format(next).toLowerCase())
        .toBe(timing.weekday)
    }
  }))
})

it.each(["", "7", "24:00", "7:60", "07:00:00", "7h", "-1:00", " 07:00"])("the text %j is not a time", (time) => {
  expect(plainTimingToCron({ every: "day", time })).toBe(null)
})

it.each(["* * * * *", "0 7 * * 1-5", "0 7 1 * *", "0,30 7 * * *", "0 7 * 2 *", "60 7 * * *", "0 24 * * *"])(
  "the cron expression %j is not a plain timing",
  (cron) => {
    expect(plainTimingFromCron(cron)).toBe(null)
  }
)

it("Sunday can be written as 0 or 7", () => {
  for (const day of [0, 7]) expect(plainTimingFromCron(`0 7 * * ${day}`)).toMatchObject({ weekday: "sunday" })
})
