/** How pages format numbers, intervals and dates. */
import { describe, expect, it } from "vitest"
import {
  formatCount,
  formatDate,
  formatDay,
  formatMinute,
  formatPercent,
  formatPoints,
  formatRange
} from "../../../packages/http/src/dashboard/charts/numbers.ts"

describe("a number", () => {
  it.each([[0, "0"], [999, "999"], [1_000, "1,000"], [12_345_678, "12,345,678"]])(
    "the number %d is written with separators: %s",
    (count, text) => {
      expect(formatCount(count)).toBe(text)
    }
  )
  it("a number is rounded half up", () => {
    expect([formatPercent(36.5), formatPercent(36.64, 1), formatPercent(0.049, 1)]).toEqual(["37 %", "36.6 %", "0.0 %"])
  })
  it("an unknown number is not shown as 0", () => {
    expect([formatPercent(null), formatPercent(undefined), formatRange(null)]).toEqual(["–", "–", ""])
  })
  it("a change in points has a sign unless it is 0.0", () => {
    expect([7.94, -0.3, 0.04, -0.04].map(formatPoints)).toEqual(["+7.9", "−0.3", "0.0", "0.0"])
  })
})

describe("a time", () => {
  it("a time is written in UTC", () => {
    const date = new Date("2026-11-22T23:59:30.000+01:00")
    expect([formatDay(date), formatDate(date), formatMinute(date)])
      .toEqual(["22 Nov", "22 Nov 2026", "22 Nov 2026, 22:59 UTC"])
  })
})
