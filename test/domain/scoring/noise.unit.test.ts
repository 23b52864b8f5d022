/**
 * The simulation of noise on made-up panels: what docs/measuring.md says of intervals and marks. With SOV_LONG_TESTS it
 * prints the page's table (docs/measuring.md, Noise).
 */
import {
  addNoise,
  type CompetitorId,
  fitPanel,
  type KeywordId,
  makeRandom,
  type NoiseCounts,
  type NoisePanel,
  platformIds,
  simulateNoise
} from "@sov/core"
import { describe, expect, it } from "vitest"

const isLong = process.env["SOV_LONG_TESTS"] !== undefined

interface World {
  readonly topics: number
  readonly paraphrases: number
  readonly samples: number
  /** The brand's middle chance to be named, in logits, and how much topics differ. */
  readonly level: number
  readonly spread: number
}

const competitors = ["r1", "r2", "r3", "r4"].map((id) => id as CompetitorId)

/** Chances of names with effects of topic, question and cell, normal in logits. */
const panelOf = ({ level, paraphrases, samples, spread, topics }: World, seed: number): NoisePanel => {
  const random = makeRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const levels = [level, ...competitors.map(() => -0.5 + normal())]
  const cells = Array.from({ length: topics }, (_, t) => {
    const topic = levels.map((one) => one + spread * normal())
    return Array.from({ length: paraphrases }, (_, q) => {
      const question = topic.map((one) => one + 0.5 * normal())
      return platformIds.map((platform) => ({
        platform,
        keywordId: `${t} ${q}` as KeywordId,
        topic: String(t),
        samples,
        chances: question.map((one) => 1 / (1 + Math.exp(-one - 0.6 * normal())))
      }))
    })
  }).flat(2)
  return { cells, competitors }
}

/** Means over several panels of a world. */
const measure = (world: World, panels: number, scans: number): NoiseCounts =>
  Array.from(
    { length: panels },
    (_, n) => simulateNoise(panelOf(world, n + 1), { random: makeRandom(n + 100), scans, threshold: null })
  )
    .reduce(addNoise)

const ordinary: World = { topics: 20, paraphrases: 1, samples: 1, level: -0.5, spread: 1.4 }
const worlds: ReadonlyArray<readonly [string, World]> = [
  ["5 topics", { ...ordinary, topics: 5 }],
  ["10 topics", { ...ordinary, topics: 10 }],
  ["20 topics", ordinary],
  ["20 topics × 3 answers", { ...ordinary, samples: 3 }],
  ["10 topics × 4 paraphrases", { ...ordinary, topics: 10, paraphrases: 4 }],
  ["20 topics, rarely named", { ...ordinary, level: -4 }],
  ["20 topics, nearly always named", { ...ordinary, level: 4 }],
  ["20 topics, all or nothing", { ...ordinary, spread: 4 }],
  ["50 topics", { ...ordinary, topics: 50 }]
]

const percent = (part: number, whole: number) => whole === 0 ? Number.NaN : 100 * part / whole

describe("a world in which nothing changes", () => {
  it.each(worlds)("has intervals that hold and hardly a mark: %s", (name, world) => {
    const [panels, scans] = isLong ? [20, 60] : [4, 12]
    const { comparisons, intervals, marked } = measure(world, panels, scans)
    const held = Object.values(intervals).reduce((sum, one) => sum + one.held, 0)
    const drawn = Object.values(intervals).reduce((sum, one) => sum + one.of, 0)
    if (isLong) {
      const coverage = Object.values(intervals).map((one) => `${percent(one.held, one.of).toFixed(1)} %`)
      const marks = Object.values(marked).map((one) => `${percent(one, comparisons).toFixed(1)} %`)
      process.stdout.write(`| ${[name, ...coverage, ...marks].join(" | ")} |\n`)
    }
    expect(percent(held, drawn)).toBeGreaterThanOrEqual(90)
    // A few runs are off by a few marks
    expect(percent(marked.anything, comparisons)).toBeLessThanOrEqual(isLong ? 6 : 13)
  })

  it("gives the same counts for the same seed, and others for another", () => {
    const panel = panelOf(ordinary, 1)
    const count = (seed: number) => simulateNoise(panel, { random: makeRandom(seed), scans: 8, threshold: null })
    expect(count(1)).toEqual(count(1))
    expect(count(1)).not.toEqual(count(2))
  })
})

it("a fitted panel names whom the answers name, more often in cells that did", () => {
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
