/** How much two scans must have in common: for alerts, and for a trend. */
import { areComparable, findCommonCells, groupIntoCells, hasEnoughCellsForTrend, minTrendCells } from "@sov/core"
import { describe, expect, it } from "vitest"
import { row } from "./support.ts"

/** A scan that asked these keywords. */
const asking = (from: number, to: number) =>
  groupIntoCells(Array.from({ length: to - from }, (_, n) => row(from + n, "b")))

describe("two scans", () => {
  it.each([
    ["nothing in common", 0, 4, 4, { comparable: false, trend: false }],
    ["all of a single cell", 1, 1, 1, { comparable: true, trend: false }],
    ["half of 8: too few to test", 4, 4, 8, { comparable: true, trend: false }],
    ["half of 10", 5, 5, 10, { comparable: true, trend: true }],
    ["fewer than half of 11", 5, 5, 11, { comparable: false, trend: false }],
    ["half of 12", 6, 12, 6, { comparable: true, trend: true }]
  ])(
    "two scans with %s are compared as documented (%d cells; %d and %d asked)",
    (_, common, one, other, { comparable, trend }) => {
      const found = findCommonCells(asking(0, one), asking(one - common, one - common + other))
      expect(found.cells).toHaveLength(common)
      expect(found.of).toBe(Math.max(one, other))
      expect(areComparable(found)).toBe(comparable)
      expect(hasEnoughCellsForTrend(found)).toBe(trend)
      expect(common >= minTrendCells(found)).toBe(trend)
    }
  )
})
