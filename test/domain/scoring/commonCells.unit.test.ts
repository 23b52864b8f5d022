/** How much two scans must have in common: for alerts, and for a trend. */
import {
  areComparable,
  cellKey,
  findBreaks,
  findCommonCells,
  groupIntoCells,
  hasEnoughCellsForTrend,
  listOrigins,
  minTrendCells
} from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { anyRows, row } from "./support.ts"

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

it("the common cells of a pair of scans are the same whichever pairs were compared before", () => {
  const models = fc.constantFrom("one", "two", "three")
  const anyScan = fc.tuple(anyRows, models).map(([rows, model]) =>
    groupIntoCells(rows.map((one) => ({ ...one, origin: { model, search: null } })))
  )
  let broken = 0
  fc.assert(fc.property(fc.array(anyScan, { minLength: 2, maxLength: 4 }), (scans) => {
    const pairs = scans.flatMap((before) => scans.map((after) => [before, after] as const))
    for (const [before, after] of [...pairs, ...pairs.toReversed()]) {
      const found = findCommonCells(before, after)
      const [then, now] = [before, after].map((cells) => listOrigins(cells.flatMap(({ rows }) => rows)))
      expect(found.breaks).toEqual(findBreaks(then!, now!))
      const compared = after.filter(({ platform }) => !found.breaks.some((one) => one.platform === platform))
      const common = compared.flatMap((cell) => {
        const earlier = before.find((one) => cellKey(one) === cellKey(cell))
        return earlier === undefined ? [] : [{ before: earlier, after: cell }]
      })
      const sizes = Map.groupBy(common, (pair) => pair.after.platform)
      expect(found.cells).toEqual(common.map((pair) => ({
        ...pair,
        weight: 1 / (sizes.size * sizes.get(pair.after.platform)!.length)
      })))
      expect(found.of).toBe(Math.max(before.length, after.length))
      broken += found.breaks.length
    }
  }))
  expect(broken).toBeGreaterThan(0)
})
