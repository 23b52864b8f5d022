/** Finds platforms, keywords and competitors whose change between two scans exceeds noise. */
import type { CompetitorId, KeywordId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import { cellMean, competitorShare, nobodyShare, type Share, sum } from "./cells.ts"
import type { CommonCell, CommonCells } from "./commonCells.ts"
import { type Change, measureChange, pairedTrend, type Trend } from "./trend.ts"

/** The change of one platform or keyword. */
export interface Movement<Id> extends Change {
  readonly id: Id
  /** Whether the change exceeds noise. Without a real change, at most 5 % of comparisons mark any of this kind. */
  readonly beyondNoise: boolean
}

/**
 * Differences between paired answers, rounded to whole points. Samples of a cell are paired in order; without a change,
 * every pairing is equally valid.
 */
const pairDifferences = ({ after, before }: CommonCell, share: Share): ReadonlyArray<number> => {
  const samples = Math.min(before.rows.length, after.rows.length)
  if (samples === 1) return [Math.round(cellMean(after, share) - cellMean(before, share))]
  return Array.from({ length: samples }, (_, i) => Math.round(share(after.rows[i]!) - share(before.rows[i]!)))
}

/** A distribution over whole points: probability by value. */
type Distribution = ReadonlyMap<number, number>

const zeroDistribution: Distribution = new Map([[0, 1]])

const convolve = (a: Distribution, b: Distribution): Distribution => {
  const added = new Map<number, number>()
  for (const [x, p] of a) for (const [y, q] of b) added.set(x + y, (added.get(x + y) ?? 0) + p * q)
  return added
}

/** P(|X| ≥ |value|) */
const tailProbability = (distribution: Distribution, value: number): number => {
  let tail = 0
  for (const [x, p] of distribution) if (Math.abs(x) >= Math.abs(value)) tail += p
  return tail
}

/** The sum of more differences is treated as normal, because its exact distribution is large. */
const maxExactDifferences = 40

/** P(|Z| ≥ |z|), Abramowitz & Stegun 7.1.26: error below 2·10⁻⁷. */
const normalTail = (z: number): number => {
  const x = Math.abs(z) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  return series * Math.exp(-x * x)
}

/** Sign-flip test: without a change, both signs of each difference are equally likely. */
const signFlipTest = (found: ReadonlyArray<number>): number => {
  const moved = found.filter((one) => one !== 0)
  if (moved.length > maxExactDifferences) return normalTail(sum(moved) / Math.sqrt(sum(moved.map((one) => one ** 2))))
  const flips = moved.map((one): Distribution => new Map([[one, 0.5], [-one, 0.5]]))
  return tailProbability(flips.reduce(convolve, zeroDistribution), sum(moved))
}

/**
 * Resampling test for keywords, which have too few answers for a sign test. It compares a keyword's sum with sums of as
 * many differences drawn from all cells of the two scans, with either sign. It uses convolution instead of random
 * numbers and assumes that all cells are about equally noisy.
 */
const makeResamplingTest = (all: ReadonlyArray<number>) => {
  const one = new Map<number, number>()
  for (const value of all) {
    for (const signed of [value, -value]) one.set(signed, (one.get(signed) ?? 0) + 0.5 / all.length)
  }
  const variance = sum(all.map((value) => value ** 2)) / all.length
  const sums: Array<Distribution> = [zeroDistribution]
  return (found: ReadonlyArray<number>): number => {
    if (found.length > maxExactDifferences) return normalTail(sum(found) / Math.sqrt(found.length * variance))
    while (sums.length <= found.length) sums.push(convolve(sums.at(-1)!, one))
    return tailProbability(sums[found.length]!, sum(found))
  }
}

/** The family-wise error rate: the probability that chance marks any of one kind. */
const familyWiseError = 0.05

const testMovementsBy = <Id extends string>(
  common: CommonCells,
  share: Share,
  idOf: (cell: CommonCell) => Id,
  probability: (found: ReadonlyArray<number>) => number
): ReadonlyArray<Movement<Id>> => {
  const groups = [...Map.groupBy(common.cells, idOf)]
  return groups.map(([id, cells]) => {
    const found = cells.flatMap((cell) => pairDifferences(cell, share))
    const moved = sum(found) !== 0
    return {
      id,
      ...measureChange(cells, share),
      beyondNoise: moved && probability(found) <= familyWiseError / groups.length
    }
  })
}

/**
 * Finds the movement of every platform and keyword of the common cells. Chance marks any platform, or any keyword, in
 * at most 5 % of comparisons (Bonferroni). Platforms are tested by signs, since each has its own noise; keywords are
 * tested against the noise of the whole scan.
 */
export const findMovements = (common: CommonCells, share: Share): {
  readonly platforms: ReadonlyArray<Movement<PlatformId>>
  readonly keywords: ReadonlyArray<Movement<KeywordId>>
} => ({
  platforms: testMovementsBy(common, share, (cell) => cell.after.platform, signFlipTest),
  keywords: testMovementsBy(
    common,
    share,
    (cell) => cell.after.keywordId,
    makeResamplingTest(common.cells.flatMap((cell) => pairDifferences(cell, share)))
  )
})

/** The trend of a competitor or of "nobody"; `beyondNoise` is corrected for all of these together. */
export interface NamedTrend extends Trend {
  readonly beyondNoise: boolean
}

/** The trends of all competitors and of "nobody". */
export interface NamedTrends {
  /** In the order given. */
  readonly competitors: ReadonlyArray<{ readonly id: CompetitorId; readonly trend: NamedTrend }>
  readonly nobody: NamedTrend
}

/**
 * Finds the trends of all competitors and of "nobody". Chance marks any of them in at most 5 % of comparisons
 * (Bonferroni), by signs as for platforms. A `direction` tests each one separately, at 10 %. Null with too few common
 * cells.
 */
export const findNamedTrends = (common: CommonCells, competitors: ReadonlyArray<CompetitorId>): NamedTrends | null => {
  const trendOf = (share: Share): NamedTrend | null => {
    const trend = pairedTrend(common, share)
    if (trend === null) return null
    const chance = () => signFlipTest(common.cells.flatMap((cell) => pairDifferences(cell, share)))
    // The sign test comes last: a flat trend needs none
    const beyondNoise = trend.direction !== "flat" && chance() <= familyWiseError / (competitors.length + 1)
    return { ...trend, beyondNoise }
  }
  const nobody = trendOf(nobodyShare)
  if (nobody === null) return null
  return { nobody, competitors: competitors.map((id) => ({ id, trend: trendOf(competitorShare(id))! })) }
}
