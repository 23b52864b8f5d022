/**
 * Whether "how sure it is" is true on real input: recorded answers of two engines to the same questions, asked three
 * times. Runs where `SOV_RECORDED_ANSWERS` names a folder with `data/`; the answers are not part of this project.
 */
import {
  averageCells,
  type CompetitorId,
  competitorShare,
  estimateSpotOdds,
  findMovements,
  type Interval,
  makeRandom,
  predictNext,
  type ScoredCell,
  selectHeadlineCells
} from "@sov/core"
import { describe, expect, it } from "vitest"
import { markets, recorded } from "../support/recordedMarkets.ts"

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

describe.skipIf(recorded === "")("three recorded runs of the same questions", () => {
  const sets = recorded === "" ? [] : markets()
  const orders = [[0, 1, 2], [0, 2, 1], [1, 2, 0]] as const

  it("every set has at least 20 keywords and ten brands that are named", () => {
    for (const { brands, runs } of sets) {
      for (const cells of runs) expect(new Set(cells.map((cell) => cell.keywordId)).size).toBeGreaterThanOrEqual(20)
      expect(brands).toHaveLength(10)
      expect(brands.at(-1)!.answers).toBeGreaterThanOrEqual(10)
    }
  })

  it("a 95 % prediction interval from two runs covers the third run in 90–99 %, and is not wide", () => {
    const pairs = sets.flatMap(({ brands, runs }) =>
      brands.flatMap(({ id }) =>
        orders.map(([first, second, third]) => {
          const others = brands.filter((one) => one.id !== id).map((one) => competitorShare(one.id))
          const { high, low } = predictNext([runs[first]!, runs[second]!], competitorShare(id), others)!
          const actual = averageCells(runs[third]!, competitorShare(id))!
          return { third, width: high - low, covered: actual >= low - 1e-9 && actual <= high + 1e-9 }
        })
      )
    )
    const share = (of: ReadonlyArray<{ readonly covered: boolean }>) =>
      100 * of.filter((pair) => pair.covered).length / of.length
    const widths = pairs.map((pair) => pair.width)
    const shares = sets.flatMap(({ brands, runs }) =>
      brands.map(({ id }) => averageCells(runs[0]!, competitorShare(id))!)
    )
    process.stdout.write(
      `prediction: ${share(pairs).toFixed(1)} % of ${pairs.length} pairs covered (last run ` +
        `${share(pairs.filter((pair) => pair.third === 2)).toFixed(1)} %), median width ${median(widths).toFixed(2)} ` +
        `points at a median share of ${median(shares).toFixed(2)}, widest ${Math.max(...widths).toFixed(1)}\n`
    )
    expect(pairs).toHaveLength(180)
    expect(share(pairs)).toBeGreaterThanOrEqual(90)
    expect(share(pairs)).toBeLessThanOrEqual(99)
    expect(median(widths)).toBeLessThanOrEqual(8)
  })

  it("the spot check's intervals cover the results of 10,000 random draws of recorded answers", () => {
    const random = makeRandom(37)
    const pick = <A>(all: ReadonlyArray<A>): A => all[Math.floor(random() * all.length)]!
    /** One answer, and three answers to a question: its three runs, none twice. */
    const open = (cells: ReadonlyArray<ScoredCell>, times: number) => {
      const platforms = [...Map.groupBy(cells, ({ platform }) => platform).values()]
      let [named, missed] = [0, 0]
      for (let i = 0; i < times; i++) {
        if (pick(pick(pick(platforms)).rows).brandMentioned) named++
        if (pick(pick(platforms)).rows.every(({ brandMentioned }) => !brandMentioned)) missed++
      }
      return { odds: 100 * named / times, misses: 100 * missed / times }
    }
    const isIn = (value: number, interval: Interval | null) =>
      interval !== null && interval.low - 1e-9 <= value && value <= interval.high + 1e-9
    const seen = { panels: 0, odds: 0, misses: 0, off: 0, plain: 0 }
    for (const { brands, runs, topics } of sets) {
      const rows = runs.flatMap((cells) => cells.flatMap((cell) => cell.rows))
      for (const { id } of brands) {
        const cells = selectHeadlineCells(
          rows.map((row) => ({ ...row, brandMentioned: row.competitorsMentioned.includes(id) })),
          new Set(),
          topics
        ).cells
        const found = estimateSpotOdds(cells)!
        const drawn = open(cells, 10_000)
        seen.panels++
        if (isIn(drawn.odds, found.interval)) seen.odds++
        if (isIn(drawn.misses, found.threeMissesInterval)) seen.misses++
        seen.off += Math.abs(found.threeMisses! - drawn.misses)
        seen.plain += cells.reduce((total, { rows: own }) =>
          total + 100 * (own.filter(({ brandMentioned }) =>
                !brandMentioned
              ).length / own.length) ** 3 /
            cells.length, 0) -
          drawn.misses
      }
    }
    process.stdout.write(
      `spot check: of ${seen.panels} brands ${seen.odds} odds and ${seen.misses} three misses within, off by ${
        (seen.off / seen.panels).toFixed(1)
      } points (the plain mean by ${(seen.plain / seen.panels).toFixed(1)} too high)\n`
    )
    expect(seen.odds).toBe(seen.panels)
    expect(seen.misses).toBe(seen.panels)
  })

  it("at most 5 % of comparisons of an unchanged world mark anything, with every tracked name as the brand", () => {
    const asBrand = (cells: ReadonlyArray<ScoredCell>, id: CompetitorId) =>
      cells.map((cell) => ({
        ...cell,
        rows: cell.rows.map((row) => ({
          ...row,
          brandMentioned: row.competitorsMentioned.includes(id),
          competitorsMentioned: row.competitorsMentioned.filter((one) => one !== id)
        }))
      }))
    const compared = sets.flatMap(({ brands, runs: scans }) =>
      brands.flatMap(({ id }) =>
        [[0, 1], [0, 2], [1, 2], [0, 1, 2]].map((order) => {
          const others = brands.map((one) => one.id).filter((one) => one !== id)
          const found = findMovements(order.map((i) => asBrand(scans[i]!, id)), others)!
          return [
            found.trend.direction !== "flat",
            ...[...found.keywords, ...found.platforms, ...found.competitors.map((one) => one.trend), found.nobody]
              .map(({ beyondNoise }) => beyondNoise)
          ].includes(true)
        })
      )
    )
    const share = 100 * compared.filter(Boolean).length / compared.length
    process.stdout.write(`false alarms: anything marked in ${share.toFixed(1)} % of ${compared.length} comparisons\n`)
    expect(share).toBeLessThanOrEqual(5)
  })
})
