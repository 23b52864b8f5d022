/** When schedules run: words and fields, faults that say where, clocks put forward and back, what is made up for. */
import { cronAliases, dueRun, isOverdue, maxCatchUpMs, nextRuns, parseTiming } from "@sov/core"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const now = new Date("2026-11-18T12:00:00Z") // A Wednesday
const read = (cron: string, timeZone = "UTC") => Result.merge(parseTiming(cron, timeZone, now))
const runs = (cron: string, timeZone: string, after: string, count: number) =>
  nextRuns({ cron, timeZone }, new Date(after), count).map((run) => run.toISOString().slice(5, 16))

describe("a typed schedule", () => {
  it("a schedule can be typed as five fields or as a word", () => {
    expect(read(" 0  7 * * mon ", "Europe/Berlin")).toEqual({ cron: "0 7 * * mon", timeZone: "Europe/Berlin" })
    expect(read("Daily", "europe/berlin")).toEqual({ cron: cronAliases["daily"], timeZone: "Europe/Berlin" })
    expect(read("@hourly")).toEqual({ cron: "0 * * * *", timeZone: "UTC" })
    expect(runs(cronAliases["weekly"]!, "UTC", now.toISOString(), 2)).toEqual(["11-22T00:00", "11-29T00:00"])
    expect(read("@midnight")).toEqual(read("daily"))
    expect(read("@annually")).toEqual(read("yearly"))
    expect(nextRuns({ cron: cronAliases["yearly"]!, timeZone: "UTC" }, now, 2).map((run) => run.toISOString())).toEqual(
      [
        "2027-01-01T00:00:00.000Z",
        "2028-01-01T00:00:00.000Z"
      ]
    )
    expect(runs(cronAliases["monthly"]!, "UTC", now.toISOString(), 2)).toEqual(["12-01T00:00", "01-01T00:00"])
  })

  // The runtime has other names for them: America/Panama, Europe/Kiev, UTC
  it.each(["EST", "Europe/Kyiv", "Etc/UTC", "US/Eastern"])(
    "a schedule keeps the typed name of the zone %s",
    (timeZone) => {
      expect(read("daily", timeZone)).toEqual({ cron: cronAliases["daily"], timeZone })
      expect(nextRuns({ cron: "0 7 * * *", timeZone }, now, 1)).toHaveLength(1)
    }
  )

  it.each([
    ["61 * * * *", /^the minute "61" of "61 \* \* \* \*" is not possible: expected a value between 0 and 59$/],
    ["0 24 * * *", /^the hour "24"/],
    ["0 7 0 * *", /^the day of month "0"/],
    ["0 7 * foo *", /^the month "foo"/],
    ["0 7 * * 8", /^the day of week "8"/],
    ["*/0 * * * *", /^the minute "\*\/0".* step/],
    ["0 7 * * 5-1", /^the day of week "5-1".* range/],
    ["0 7 * *", /is neither hourly, daily, midnight, weekly, monthly, yearly, annually nor five fields in quotes/],
    ["0 0 7 * * *", /five fields/],
    ["@reboot", /is neither hourly, .* nor five fields/],
    ["dayly", /did you mean daily\?$/],
    ["constructor", /five fields/],
    ["", /five fields/],
    ["0 0 30 2 *", /names a day that never comes$/]
  ])("the schedule %j is refused", (cron, message) => {
    expect(read(cron)).toEqual({ field: "cron", message: expect.stringMatching(message) })
  })

  it.each([
    ["Europe/Berln", /is no IANA time zone such as Europe\/Berlin; did you mean Europe\/Berlin\?$/],
    ["+01:00", /is no IANA time zone/],
    ["", /is no IANA time zone/],
    ["x".repeat(9999), /is no IANA time zone/]
  ])("the text %s is not a time zone", (zone, message) => {
    expect(read("daily", zone)).toEqual({ field: "time_zone", message: expect.stringMatching(message) })
  })
})

describe("when clocks are changed", () => {
  it.each([
    // 02:00 to 02:59 does not exist on 29 March
    ["Europe/Berlin", "30 2 * * *", "2026-03-27T12:00:00Z", ["03-28T01:30", "03-29T01:30", "03-30T00:30"]],
    ["Europe/Berlin", "*/30 2 * * *", "2026-03-28T12:00:00Z", ["03-29T01:00", "03-30T00:00", "03-30T00:30"]],
    ["Europe/Berlin", "0 * * * *", "2026-03-28T23:30:00Z", ["03-29T00:00", "03-29T01:00", "03-29T02:00"]],
    // 02:00 to 02:59 occurs twice on 25 October
    ["Europe/Berlin", "30 2 * * *", "2026-10-23T12:00:00Z", ["10-24T00:30", "10-25T00:30", "10-26T01:30"]],
    ["Europe/Berlin", "0 * * * *", "2026-10-24T22:30:00Z", ["10-24T23:00", "10-25T00:00", "10-25T02:00"]],
    // At midnight
    ["America/Havana", "0 0 * * *", "2026-03-07T12:00:00Z", ["03-08T05:00", "03-09T04:00", "03-10T04:00"]],
    // By half an hour
    ["Australia/Lord_Howe", "15 2 * * *", "2026-10-02T18:00:00Z", ["10-03T15:45", "10-04T15:15", "10-05T15:15"]]
  ])("the runs in %s follow the change of the clock: %s", (zone, cron, after, expected) => {
    expect(runs(cron, zone, after, 3)).toEqual(expected)
  })

  it("a daily time runs once on every day in any zone, however its clocks change", () => {
    const zones = ["Europe/Berlin", "America/New_York", "America/Havana", "Africa/Cairo", "Asia/Tehran", "Pacific/Apia"]
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 59 }),
        fc.integer({ min: 2000, max: 2030 }).filter((year) => year !== 2011), // Apia left out a day
        (zone, hour, minute, year) => {
          const day = new Intl.DateTimeFormat("sv", { timeZone: zone })
          const all = nextRuns(
            { cron: `${minute} ${hour} * * *`, timeZone: zone },
            new Date(Date.UTC(year, 0, 10)),
            340
          )
          const days = all.map((run) => day.format(run))
          expect(new Set(days).size).toBe(340)
          expect(days.map((one) => Date.parse(one)).every((ms, n, list) => n === 0 || ms - list[n - 1]! === 86_400_000))
            .toBe(true)
        }
      ),
      { numRuns: 30 }
    )
  })
})

describe("the due run", () => {
  const at = (iso: string) => new Date(iso)
  const hourly = { cron: "0 * * * *", timeZone: "UTC" }

  it("the due run is the run that was expected, and the next run is also returned", () => {
    expect(dueRun(hourly, at("2026-01-01T10:00:00Z"), at("2026-01-01T10:00:00.020Z")))
      .toEqual({ at: at("2026-01-01T10:00:00Z"), tooLate: false, nextAt: at("2026-01-01T11:00:00Z") })
  })

  it("the due run is the latest missed run", () => {
    for (const since of ["2026-01-01T01:00:00Z", "2024-01-01T00:00:00Z"]) {
      expect(dueRun(hourly, at(since), at("2026-01-01T10:59:59.999Z")))
        .toEqual({ at: at("2026-01-01T10:00:00Z"), tooLate: false, nextAt: at("2026-01-01T11:00:00Z") })
    }
  })

  it("a missed run is no longer due after a day", () => {
    const weekly = { cron: "0 7 * * 1", timeZone: "UTC" }
    const missed = at("2026-11-16T07:00:00Z")
    const within = new Date(missed.getTime() + maxCatchUpMs)
    const nextAt = at("2026-11-23T07:00:00Z")
    expect(dueRun(weekly, missed, within)).toEqual({ at: missed, tooLate: false, nextAt })
    expect(dueRun(weekly, missed, new Date(within.getTime() + 1))).toEqual({ at: missed, tooLate: true, nextAt })
  })

  it("a schedule has no next run if its zone is no longer known", () => {
    const gone = { cron: "* * * * *", timeZone: "Atlantis/Capital" }
    expect(dueRun(gone, now, now)).toEqual({ at: now, tooLate: false, nextAt: null })
  })

  it("a run is overdue after a minute", () => {
    const after = (ms: number) => isOverdue({ nextAt: now }, new Date(now.getTime() + ms))
    expect([after(0), after(60_000), after(60_001)]).toEqual([false, false, true])
    expect(isOverdue({ nextAt: null }, now)).toBe(false)
  })
})
