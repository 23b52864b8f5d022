import { makeQuota, quotaPeriod } from "@sov/core"
import { describe, expect, it } from "vitest"

describe("quota month", () => {
  it.each([
    ["2026-11-30T23:59:59.999Z", "2026-11", "2026-12-01T00:00:00.000Z"],
    ["2026-12-01T00:00:00.000Z", "2026-12", "2027-01-01T00:00:00.000Z"],
    ["2028-02-29T12:00:00.000Z", "2028-02", "2028-03-01T00:00:00.000Z"]
  ])("the time %s belongs to the month %s, which ends at %s", (at, period, end) => {
    expect(quotaPeriod(new Date(at))).toBe(period)
    expect(makeQuota(period, 4, 1).resetsAt.toISOString()).toBe(end)
  })
  it("the remainder of a quota is never negative", () => {
    expect(makeQuota("2026-11", 4, 9)).toMatchObject({ used: 9, remaining: 0 })
  })
})
