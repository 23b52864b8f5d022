import {
  averageCells,
  type CompetitorId,
  competitorShare,
  findMovements,
  groupIntoCells,
  type Interval,
  keywordInterval,
  type MarkedChanges,
  mentionRate,
  nobodyShare,
  platformIds,
  predictNext,
  samplingInterval,
  type ScanId,
  type ScoredRow,
  scoreRow,
  scoreScan
} from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { seededRandom } from "../../support/seededRandom.ts"
import { anyRows, keywordId, rivals } from "./support.ts"

const runs = { numRuns: propertyRuns(1000) }
const others = rivals.map(competitorShare)
const score = (rows: ReadonlyArray<ScoredRow>, more: { readonly failed?: number; readonly keywords?: number } = {}) =>
  scoreScan({
    scanId: "s" as ScanId,
    measureVersion: 1,
    trackedSetVersion: 1,
    icuVersion: "77.1",
    rows,
    keywordIds: Array.from({ length: 12 + (more.keywords ?? 0) }, (_, k) => keywordId(k + 1)),
    topics: new Map(),
    brandedKeywords: new Set(),
    competitorIds: rivals,
    answers: rows.length,
    failedCount: more.failed ?? 0,
    noOverviewCount: 0
  })

const holds = (interval: Interval | null, value: number): void => {
  if (interval === null) return
  expect(interval.low).toBeGreaterThanOrEqual(0)
  expect(interval.high).toBeLessThanOrEqual(100)
  expect(interval.low).toBeLessThanOrEqual(value + 1e-9)
  expect(interval.high).toBeGreaterThanOrEqual(value - 1e-9)
}
const close = (a: Interval | null, b: Interval | null): void => {
  expect(a === null).toBe(b === null)
  if (a === null || b === null) return
  expect(a.low).toBeCloseTo(b.low, 6)
  expect(a.high).toBeCloseTo(b.high, 6)
}
const shuffled = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }))
const permuted = (rows: ReadonlyArray<ScoredRow>, order: Iterator<number>): ReadonlyArray<ScoredRow> =>
  rows.map((row) => ({ row, at: order.next().value as number })).toSorted((a, b) => a.at - b.at).map(({ row }) => row)

describe("every interval", () => {
  it("every interval is in 0–100 and contains its estimate", () => {
    fc.assert(
      fc.property(anyRows, anyRows, (rows, later) => {
        const cells = groupIntoCells(rows)
        for (const share of [scoreRow, nobodyShare, ...others]) {
          const average = averageCells(cells, share)!
          expect(average).toBeGreaterThanOrEqual(0)
          expect(average).toBeLessThanOrEqual(100)
          holds(keywordInterval(cells, share), average)
          holds(samplingInterval(cells, share), average)
          const next = predictNext([cells, groupIntoCells(later)], share, others)
          if (next !== null) holds(next, next.expected)
        }
        const { rate, ...wilson } = mentionRate(rows.filter((row) => row.brandMentioned).length, rows.length)!
        holds(wilson, rate)
      }),
      runs
    )
  })

  it("the interval does not depend on the order of answers", () => {
    fc.assert(
      fc.property(anyRows, shuffled, (rows, order) => {
        const [a, b] = [score(rows), score(permuted(rows, order))]
        expect(a.avgSov).toBeCloseTo(b.avgSov!, 6)
        close(a.uncertainty!.interval, b.uncertainty!.interval)
        close(a.uncertainty!.samplingInterval, b.uncertainty!.samplingInterval)
        expect(a.uncertainty!.mentionRate).toEqual(b.uncertainty!.mentionRate)
      }),
      runs
    )
  })
})

it("a question that failed changes neither the mean nor the interval", () => {
  fc.assert(
    fc.property(anyRows, fc.nat(9), (rows, failed) => {
      const [a, b] = [score(rows), score(rows, { failed, keywords: failed })]
      expect({ ...b, failedCount: 0, lowCoverage: [] }).toEqual({ ...a, lowCoverage: [] })
    }),
    runs
  )
})

describe("Wilson's interval", () => {
  it("Wilson's interval is exact at 0 and 100 %, and symmetric", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.nat(), (answers, seed) => {
        const mentioned = seed % (answers + 1)
        const [one, other] = [mentionRate(mentioned, answers)!, mentionRate(answers - mentioned, answers)!]
        expect(one.low).toBeCloseTo(100 - other.high, 9)
        expect(mentionRate(0, answers)!.low).toBe(0)
        expect(mentionRate(answers, answers)!.high).toBe(100)
        expect(mentionRate(0, answers)!.high).toBeGreaterThan(0)
      }),
      runs
    )
  })

  it("Wilson's interval narrows as more answers arrive at the same rate", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.nat(),
        fc.integer({ min: 2, max: 9 }),
        (answers, seed, times) => {
          const mentioned = seed % (answers + 1)
          const [few, many] = [mentionRate(mentioned, answers)!, mentionRate(mentioned * times, answers * times)!]
          expect(many.high - many.low).toBeLessThan(few.high - few.low)
        }
      ),
      runs
    )
  })
})

it("the interval of one mention is never narrower than that of no mention, and its upper end never lower", () => {
  const unnamed = anyRows.map((rows) => rows.map((one) => ({ ...one, brandMentioned: false })))
  fc.assert(
    fc.property(unnamed, fc.nat(), (rows, place) => {
      const at = place % rows.length
      const once = rows.map((one, i) => ({ ...one, brandMentioned: i === at }))
      const [none, one] = [rows, once].map((all) => keywordInterval(groupIntoCells(all), scoreRow))
      if (none == null || one == null) return
      expect(one.high).toBeGreaterThanOrEqual(none.high - 1e-9)
      expect(one.low).toBeGreaterThanOrEqual(none.low - 1e-9)
      expect(one.high - one.low).toBeGreaterThanOrEqual(none.high - none.low - 1e-9)
    }),
    runs
  )
})

it("the interval over keywords narrows if the same keywords are added again", () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const twice = [
        ...rows,
        ...rows.map((row) => ({ ...row, keywordId: keywordId(Number(row.keywordId.slice(1)) + 50) }))
      ]
      const [few, many] = [
        keywordInterval(groupIntoCells(rows), scoreRow),
        keywordInterval(groupIntoCells(twice), scoreRow)
      ]
      if (few === null || many === null) return
      expect(many.high - many.low).toBeLessThanOrEqual(few.high - few.low + 1e-9)
    }),
    runs
  )
})

describe("comparing two scans", () => {
  const ids = Array.from({ length: 4 }, (_, n) => `r${n}` as CompetitorId)

  it("comparing two scans backwards gives the opposite trend and the same verdicts", () => {
    fc.assert(
      fc.property(anyRows, anyRows, (first, second) => {
        const [there, back] = [
          findMovements([groupIntoCells(first), groupIntoCells(second)], ids),
          findMovements([groupIntoCells(second), groupIntoCells(first)], ids)
        ]
        expect(there === null).toBe(back === null)
        if (there === null || back === null) return
        const [a, b] = [there.trend, back.trend]
        expect(a.delta).toBeCloseTo(-b.delta, 9)
        expect([a.before, a.nCells]).toEqual([expect.closeTo(b.after, 9), b.nCells])
        // The tests look at the cells of the newer scan, and at its interval
        if (first.length !== second.length || a.nCells !== groupIntoCells(first).length) return
        expect(a.z).toBeCloseTo(-b.z, 6)
        expect(a.direction).toBe({ up: "down", down: "up", flat: "flat" }[b.direction])
        const marked = ({ keywords, platforms }: MarkedChanges) =>
          [...keywords, ...platforms].filter((one) => one.beyondNoise).map((one) => one.id).toSorted()
        expect(marked(there)).toEqual(marked(back))
      }),
      runs
    )
  })

  it.each([[8, 4, 2], [20, 8, 2], [20, 8, 5], [40, 3, 5]])(
    "at most 5 of 100 comparisons of an unchanged world have a mark: %d keywords, %d competitors, %d scans",
    (keywords, competitors, scans) => {
      const draw = seededRandom(keywords)
      const names = Array.from({ length: competitors }, (_, n) => `r${n}` as CompetitorId)
      const often = Array.from({ length: keywords * 2 }, () => names.map(() => draw() * 0.8))
      const scan = (lost?: CompetitorId) =>
        groupIntoCells(often.map((chances, n): ScoredRow => ({
          platform: platformIds[n % 2]!,
          keywordId: keywordId(Math.floor(n / 2)),
          brandMentioned: draw() < 0.3,
          competitorsMentioned: names.filter((id, i) => id === lost ? false : draw() < chances[i]!)
        })))
      const compare = (lost?: CompetitorId) =>
        findMovements([...Array.from({ length: scans - 1 }, () => scan()), scan(lost)], names)!
      const marksIn = ({ competitors: each, keywords: byKeyword, nobody, platforms, trend }: MarkedChanges) => [
        trend.direction !== "flat",
        ...[...byKeyword, ...platforms, ...each.map((one) => one.trend), nobody].map(({ beyondNoise }) => beyondNoise)
      ]
      const wrong = Array.from({ length: 400 }, () => marksIn(compare())).filter((marks) => marks.includes(true)).length
      // 5 % and two standard errors of 400 draws
      expect(wrong / 400).toBeLessThanOrEqual(0.072)
      // A competitor that is gone from all answers is found
      const found = Array.from(
        { length: 40 },
        () => compare(names[0]).competitors.find(({ id }) => id === names[0])!.trend
      )
      if (keywords >= 20) {
        expect(found.filter(({ beyondNoise }) => beyondNoise).length).toBeGreaterThan(scans === 2 ? 20 : 30)
      }
      expect(found.every(({ beyondNoise, direction }) => !beyondNoise || direction === "down")).toBe(true)
    }
  )

  it("a scan compared with itself shows no change, and identical cells give the difference of the scores", () => {
    fc.assert(
      fc.property(anyRows, fc.infiniteStream(fc.boolean()), (rows, coins) => {
        const cells = groupIntoCells(rows)
        const flipped = groupIntoCells(rows.map((row) => ({ ...row, brandMentioned: coins.next().value as boolean })))
        const same = findMovements([cells, cells], ids)
        if (same === null) return
        expect(same.trend).toMatchObject({ delta: 0, z: 0, direction: "flat", nCells: cells.length })
        const delta = averageCells(flipped, scoreRow)! - averageCells(cells, scoreRow)!
        expect(findMovements([cells, flipped], ids)!.trend.delta).toBeCloseTo(delta, 9)
      }),
      runs
    )
  })

  it("nothing is marked with fewer than 20 common cells, or without an interval", () => {
    const scan = (keywords: number, mentioned: boolean) =>
      groupIntoCells(Array.from({ length: keywords }, (_, n): ScoredRow => ({
        platform: platformIds[0]!,
        keywordId: keywordId(n),
        brandMentioned: mentioned,
        competitorsMentioned: []
      })))
    const directionOf = (...scans: ReadonlyArray<ReturnType<typeof scan>>) => findMovements(scans, [])!.trend.direction
    expect(directionOf(scan(19, true), scan(19, false))).toBe("flat")
    expect(directionOf(scan(20, true), scan(20, false))).toBe("down")
    const oneTopic = (mentioned: boolean) => scan(20, mentioned).map((cell) => ({ ...cell, topic: "the only one" }))
    expect(directionOf(oneTopic(true), oneTopic(false))).toBe("flat")
  })
})
