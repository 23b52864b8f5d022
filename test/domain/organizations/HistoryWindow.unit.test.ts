import { historyWindowAt, isInWindow, isWindowApplied, laterBegin, plans, wholeHistory } from "@sov/core"
import { describe, expect, it } from "vitest"

const now = new Date("2026-03-10T08:00:00.000Z")
const week = historyWindowAt({ plan: "free", historyDays: null }, now)
const begin = new Date("2026-03-03T08:00:00.000Z")
const before = new Date(begin.getTime() - 1)

describe("history window", () => {
  it("the window is seven times 24 hours for Free, and unlimited for each plan with API access", () => {
    expect(week.since).toEqual(begin)
    for (const plan of Object.values(plans).filter(({ apiAccess }) => apiAccess)) {
      expect(historyWindowAt({ plan: plan.id, historyDays: null }, now)).toEqual(wholeHistory)
    }
  })

  it("an organization's own number of days takes precedence", () => {
    expect(historyWindowAt({ plan: "free", historyDays: 1 }, now).since).toEqual(new Date("2026-03-09T08:00:00.000Z"))
  })

  it("the window includes its first moment, and nothing before it", () => {
    expect([isInWindow(week, begin), isInWindow(week, before), isInWindow(wholeHistory, before)])
      .toEqual([true, false, true])
  })

  it("the window moves the start of a request forward, never back", () => {
    expect(laterBegin(week, null)).toEqual(begin)
    expect(laterBegin(week, before)).toEqual(begin)
    expect(laterBegin(week, now)).toEqual(now)
    expect(laterBegin(wholeHistory, before)).toEqual(before)
    expect(laterBegin(wholeHistory, null)).toBe(null)
  })

  it("the window is applied only if it hides something that was requested", () => {
    expect(isWindowApplied(week, before)).toBe(true)
    expect(isWindowApplied(week, begin)).toBe(false)
    expect(isWindowApplied(week, before, begin)).toBe(false)
    expect(isWindowApplied(week, before, before)).toBe(true)
    expect(isWindowApplied(wholeHistory, before)).toBe(false)
  })
})
