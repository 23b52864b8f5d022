/** The power that a plan promises, in simulated archives. With SOV_LONG_TESTS 2,000 pairs of scans each. */
import {
  type CellNoise,
  countMissingCells,
  countNeededCells,
  estimateCellNoise,
  findCommonCells,
  findDetectableChange,
  findMovements,
  type KeywordId,
  listPanelOptions,
  maxBaseline,
  type PlatformId,
  type ScoredCell
} from "@sov/core"
import { describe, expect, it } from "vitest"
import { seededRandom } from "../../support/seededRandom.ts"

const isLong = process.env["SOV_LONG_TESTS"] !== undefined
const runs = isLong ? 2000 : 200
/** Five points, and what 200 runs are off by. */
const tolerance = isLong ? 0.05 : 0.12

/** An answer that gives the brand this share: named alone, beside others, or not at all. */
const rowOf = (
  cell: Pick<ScoredCell, "keywordId" | "platform">,
  others: number | null
): ScoredCell["rows"][number] => ({
  ...cell,
  brandMentioned: others !== null,
  competitorsMentioned: Array.from({ length: others ?? 0 }, (_, i) => `c${i}` as never)
})

interface World {
  readonly keywords: number
  readonly platforms: number
  readonly samples: number
  /** How often the brand is named, and beside how many others at most. */
  readonly named: number
  readonly others: number
}

/** One scan; `named` of the world unless another one is given. */
const scanOf = ({ keywords, others, platforms, samples, ...world }: World, random: () => number, named = world.named) =>
  Array.from({ length: keywords * platforms }, (_, i): ScoredCell => {
    const cell = {
      platform: `p${i % platforms}` as PlatformId,
      keywordId: `k${Math.floor(i / platforms)}` as KeywordId
    }
    const answer = () => rowOf(cell, random() < named ? Math.floor(random() * (others + 1)) : null)
    return { ...cell, rows: Array.from({ length: samples }, answer) }
  })

const meanShare = ({ others }: World): number =>
  Array.from({ length: others + 1 }, (_, i) => 100 / (1 + i)).reduce((a, b) => a + b, 0) / (others + 1)

const worlds: ReadonlyArray<World> = [
  { keywords: 40, platforms: 5, samples: 1, named: 0.4, others: 0 },
  { keywords: 60, platforms: 3, samples: 1, named: 0.5, others: 2 },
  { keywords: 20, platforms: 5, samples: 3, named: 0.3, others: 1 },
  { keywords: 40, platforms: 4, samples: 2, named: 0.5, others: 4 },
  { keywords: 30, platforms: 5, samples: 5, named: 0.25, others: 3 }
]

describe("a plan of a panel", () => {
  it.each(worlds.map((world, seed) => [seed, world] as const))(
    "a plan promises 80 % power, and its actual power is 80 to 86 %: world %i",
    (seed, world) => {
      const random = seededRandom(100 + seed)
      const history = Array.from({ length: 9 }, () => scanOf(world, random))
      const noise = estimateCellNoise(history, history.slice(1).map((after, i) => findCommonCells(history[i]!, after)))
      expect(noise).toMatchObject({ pairs: 8, isAssumed: false, isSplit: world.samples > 1 })
      const change = findDetectableChange(noise, world.samples, world.keywords * world.platforms)!
      let seen = 0
      for (let run = 0; run < runs; run++) {
        const before = Array.from({ length: maxBaseline }, () => scanOf(world, random))
        // Down, as an alert looks for it: the variance of a share near 0 is smaller, that of one near a half hardly
        // changes
        const after = scanOf(world, random, world.named - change / meanShare(world))
        if (findMovements([...before, after], [])!.trend.direction === "down") seen++
      }
      expect(Math.abs(seen / runs - 0.83)).toBeLessThanOrEqual(tolerance)
    }
  )

  it("a plan assumes an ordinary answer's noise if there are fewer than three comparable scans, and says so", () => {
    const none = estimateCellNoise([scanOf(worlds[0]!, seededRandom(1))], [])
    expect(none).toMatchObject({ answers: 24 ** 2, scans: 0, pairs: 0, isAssumed: true, isSplit: false })
    // 50 cells of such answers: what docs/measuring.md says of ten questions on five platforms
    expect(Math.sqrt(none.answers / 50)).toBeCloseTo(3.4, 1)
  })

  const noise: CellNoise = { answers: 400, scans: 25, shocks: 0, pairs: 8, isAssumed: false, isSplit: true }

  it("the planned number of cells detects the change, and one cell fewer does not", () => {
    for (const [samples, points] of [[1, 3], [1, 12], [3, 5], [5, 1.5]] as const) {
      const cells = countNeededCells(noise, samples, points)
      expect(findDetectableChange(noise, samples, cells)!).toBeLessThanOrEqual(points + 1e-9)
      expect(findDetectableChange(noise, samples, cells - 1)!).toBeGreaterThan(points)
    }
  })

  it("a plan promises nothing for fewer than 20 cells, at any noise", () => {
    const quiet: CellNoise = { ...noise, answers: 1, scans: 0 }
    expect(findDetectableChange(quiet, 1, 19)).toBeNull()
    expect(findDetectableChange(quiet, 1, 20)).toBeLessThan(2)
    expect([0, 19, 20, 21].map(countMissingCells)).toEqual([20, 1, 0, 0])
    expect(countNeededCells(quiet, 1, 50)).toBe(20)
    expect(listPanelOptions(quiet, 3, 50).map(({ keywords }) => keywords)).toEqual([7, 7, 7, 7, 7])
  })

  it("a plan with more samples needs fewer keywords, to the extent that the noise comes from answers", () => {
    const options = listPanelOptions(noise, 5, 4)
    expect(options.map(({ samples }) => samples)).toEqual([1, 2, 3, 4, 5])
    const keywords = options.map((one) => one.keywords)
    expect(keywords).toEqual(keywords.toSorted((a, b) => b - a))
    const ofScans = listPanelOptions({ ...noise, answers: 0, scans: 400 }, 5, 4).map((one) => one.keywords)
    expect(new Set(ofScans).size).toBe(1)
    for (const one of options) expect(one.questions).toBe(one.keywords * 5 * one.samples)
  })

  it("a plan has no panel for a change that no panel can detect, and no change for a panel without cells", () => {
    expect(listPanelOptions(noise, 1, 0.01)).toEqual([])
    expect(findDetectableChange(noise, 1, 1)).toBeNull()
  })
})
