/** The simulation of noise on made-up panels: what docs/measuring.md says of intervals and marks. */
import { type CompetitorId, fitPanel, type KeywordId, makeRandom, platformIds, simulateNoise } from "@sov/core"
import { describe, expect, it } from "vitest"
import { measureWorld, noiseWorlds, ordinaryWorld, panelOf } from "../../support/noiseWorlds.ts"

const competitors = ["r1" as CompetitorId]

const percent = (part: number, whole: number) => whole === 0 ? Number.NaN : 100 * part / whole

describe("a world in which nothing changes", () => {
  it.each(noiseWorlds)("a world without changes has valid intervals and hardly a mark: $name", (world) => {
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

it("a fitted panel names the same entities as the answers, and more often in cells that named them", () => {
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
