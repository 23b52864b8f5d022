/** The simulation of noise on made-up panels: what docs/measuring.md says of intervals and marks. */
import {
  averageCells,
  type CompetitorId,
  findMovements,
  fitPanel,
  type KeywordId,
  makeRandom,
  type NoisePanel,
  platformIds,
  scoreRow,
  simulateNoise
} from "@sov/core"
import { describe, expect, it } from "vitest"
import { measureWorld, noiseWorlds, ordinaryWorld, panelOf } from "../../support/noiseWorlds.ts"

const competitors = ["r1" as CompetitorId]

const percent = (part: number, whole: number) => whole === 0 ? Number.NaN : 100 * part / whole

describe("a world in which nothing changes", () => {
  it.each(noiseWorlds)("a world without changes has valid intervals and hardly any marks: $name", (world) => {
    const { comparisons, intervals, marked } = measureWorld(world, 4, 12)
    const held = Object.values(intervals).reduce((sum, one) => sum + one.held, 0)
    const drawn = Object.values(intervals).reduce((sum, one) => sum + one.of, 0)
    expect(percent(held, drawn)).toBeGreaterThanOrEqual(90)
    // At most 5 % in many scans (docs/measuring.md); 48 are off by a few
    expect(percent(marked.anything, comparisons)).toBeLessThanOrEqual(13)
  })

  it("the same seed gives the same counts, and another seed gives others", () => {
    const panel = panelOf(ordinaryWorld, 1)
    const count = (seed: number) => simulateNoise(panel, { random: makeRandom(seed), scans: 8, threshold: null })
    expect(count(1)).toEqual(count(1))
    expect(count(1)).not.toEqual(count(2))
  })
})

/** A scan of the panel in which the brand is named more often, by this many logits. */
const drawWith = ({ cells, competitors }: NoisePanel, logits: number, random: () => number) =>
  cells.map(({ chances, keywordId, platform, topic }) => ({
    keywordId,
    platform,
    ...topic === undefined ? {} : { topic },
    rows: [{
      keywordId,
      platform,
      brandMentioned: random() < 1 / (1 + (1 / chances[0]! - 1) * Math.exp(-logits)),
      competitorsMentioned: competitors.filter((_, i) => random() < chances[i + 1]!)
    }]
  }))

it("a rise of 10 points over 20 topics is distinguished from noise with four earlier scans, and often missed with one", () => {
  const panels = Array.from({ length: 60 }, (_, n) => panelOf(ordinaryWorld, n + 1))
  const rises: Array<number> = []
  const countFound = (earlier: number) =>
    panels.filter((panel, n) => {
      const random = makeRandom(n + 7000)
      const before = Array.from({ length: earlier }, () => drawWith(panel, 0, random))
      const after = drawWith(panel, 1.31, random)
      rises.push(averageCells(after, scoreRow)! - averageCells(before.at(-1)!, scoreRow)!)
      return findMovements([...before, after], panel.competitors)?.trend.direction === "up"
    }).length
  const [one, four] = [countFound(1), countFound(4)]
  expect(rises.reduce((sum, rise) => sum + rise, 0) / rises.length).toBeCloseTo(10, -1)
  expect(percent(four, panels.length)).toBeGreaterThanOrEqual(85)
  expect(percent(one, panels.length)).toBeGreaterThanOrEqual(50)
  expect(percent(one, panels.length)).toBeLessThanOrEqual(85)
})

it("a fitted panel names the same entities as the answers, and names them more often in the cells that did", () => {
  const cell = (keyword: string, named: boolean) => ({
    platform: platformIds[0],
    keywordId: keyword as KeywordId,
    rows: [{
      platform: platformIds[0],
      keywordId: keyword as KeywordId,
      brandMentioned: named,
      competitorsMentioned: named ? [] : [competitors[0]!]
    }]
  })
  const scan = ["a", "b", "c", "d"].map((keyword) => cell(keyword, keyword === "a"))
  const { cells } = fitPanel([scan, scan, scan], [competitors[0]!])
  const [always, never] = [cells[0]!.chances, cells[1]!.chances]
  expect(always[0]).toBeGreaterThan(0.8)
  expect(never[0]).toBeLessThan(0.2)
  expect(always[1]).toBeLessThan(never[1]!)
  expect(cells.every(({ chances }) => chances.every((one) => one > 0 && one < 1))).toBe(true)
})
