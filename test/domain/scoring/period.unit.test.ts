/** Periods that are compared, and what is marked between two in which nothing changed. */
import {
  earlierPeriod,
  endingAt,
  findMovements,
  groupIntoCells,
  type KeywordId,
  makeRandom,
  type ScoredCell,
  type ScoredRow
} from "@sov/core"
import { describe, expect, it } from "vitest"
import { ordinaryWorld, panelOf } from "../../support/noiseWorlds.ts"

const day = (text: string) => new Date(`${text}T00:00:00Z`)

describe("a period", () => {
  it("a period consists of whole weeks of whole days, the last of which is today", () => {
    const now = new Date("2026-11-28T13:05:00Z")
    const period = endingAt(now, "4w")
    expect(period).toEqual({ from: day("2026-11-01"), to: new Date("2026-11-28T23:59:59.999Z") })
    expect(earlierPeriod(period, "before")).toEqual({
      from: day("2026-10-04"),
      to: new Date("2026-10-31T23:59:59.999Z")
    })
    expect(endingAt(now, "quarter").from).toEqual(day("2026-08-30"))
    expect(endingAt(day("2026-11-28"), "4w")).toEqual(period)
  })

  it("a period is compared with an equally long period that ends before it begins", () => {
    const period = { from: day("2026-11-01"), to: new Date(day("2026-11-29").getTime() - 1) }
    const before = earlierPeriod(period, "before")
    expect(before).toEqual({ from: day("2026-10-04"), to: new Date(period.from.getTime() - 1) })
    const year = earlierPeriod(period, "year")
    expect(year.to.getTime() - year.from.getTime()).toBe(period.to.getTime() - period.from.getTime())
    expect(year.from.getUTCDay()).toBe(period.from.getUTCDay())
  })
})

/** The answers of several scans of a panel, combined; a platform's answers move together in each scan. */
const drawPeriod = (
  { cells, competitors }: ReturnType<typeof panelOf>,
  scans: number,
  random: () => number,
  shift = 0
): ReadonlyArray<ScoredCell> => {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const rows: Array<ScoredRow> = []
  const topics = new Map<KeywordId, string>(cells.map(({ keywordId, topic }) => [keywordId, topic]))
  for (let scan = 0; scan < scans; scan++) {
    const shocks = new Map(cells.map(({ platform }) => [platform, 0]))
    for (const platform of shocks.keys()) shocks.set(platform, 0.2 * normal())
    for (const { chances, keywordId, platform } of cells) {
      const named = chances.map((chance, i) =>
        random() <
          1 / (1 + Math.exp(-(Math.log(chance / (1 - chance)) + shocks.get(platform)! + (i === 0 ? shift : 0))))
      )
      rows.push({
        platform,
        keywordId,
        brandMentioned: named[0]!,
        competitorsMentioned: competitors.filter((_, i) => named[i + 1]!)
      })
    }
  }
  return groupIntoCells(rows).map((cell) => ({ ...cell, topic: topics.get(cell.keywordId)! }))
}

const countMoved = (pairs: number, scans: readonly [number, number], shift = 0) => {
  let [moved, any] = [0, 0]
  for (let n = 0; n < pairs; n++) {
    const panel = panelOf(ordinaryWorld, n + 1)
    const random = makeRandom(n + 1000)
    const [before, after] = [drawPeriod(panel, scans[0], random), drawPeriod(panel, scans[1], random, shift)]
    const { competitors, keywords, nobody, platforms, trend } = findMovements([before, after], panel.competitors)!
    const marks = [
      trend.direction !== "flat",
      nobody.beyondNoise,
      ...[...platforms, ...keywords].map((one) => one.beyondNoise),
      ...competitors.map((one) => one.trend.beyondNoise)
    ]
    if (marks[0]!) moved++
    if (marks.includes(true)) any++
  }
  return { moved, any }
}

describe("two periods of several scans", () => {
  it.each([[[4, 4]], [[1, 4]], [[13, 13]]] as const)(
    "periods without a change have a mark in at most 5 %% of comparisons, for any number of scans: %j",
    (scans) => {
      const pairs = 120
      // 5 % of 120 are 6; more than 12 are seen by chance in 1 of 100 suites
      expect(countMoved(pairs, scans).any).toBeLessThanOrEqual(12)
    }
  )

  it("periods with a large change are marked", () => {
    expect(countMoved(20, [4, 4], 1.5).moved).toBeGreaterThanOrEqual(18)
  })
})
