/** The odds that a person who opens one answer, or three in a row, sees the brand (docs/measuring.md). */
import { averageCells, type ScoredCell, type ScoredRow, sum } from "./cells.ts"
import { estimateAlone, estimateJackknife, type Interval } from "./intervals.ts"
import { makePanel } from "./panel.ts"
import { roundHalfUp } from "./Score.ts"

/** Chances in percent, unrounded, for questions and platforms that a person picks at random. */
export interface SpotOdds {
  /** The chance that one answer names the brand. */
  readonly odds: number
  readonly interval: Interval | null
  /**
   * The chance that three answers to one question on one platform all fail to name the brand; null if no cell has two
   * answers.
   */
  readonly threeMisses: number | null
  /** The 95 % interval; if `threeMisses` is null, its smallest and largest possible value. */
  readonly threeMissesInterval: Interval | null
  readonly answers: number
  readonly questions: number
  readonly topics: number
}

/** The odds of a platform or a tag. */
export interface NamedOdds<Name extends string = string> {
  readonly name: Name
  readonly odds: SpotOdds
}

const isNamed = ({ brandMentioned }: ScoredRow): number => brandMentioned ? 100 : 0

const mentions = ({ rows }: ScoredCell): number => rows.filter(({ brandMentioned }) => brandMentioned).length

const openings = [0, 1, 2]

/** The numbers of answers and mentions of each cell, with the cell's topic and platform. */
const countTries = (cells: ReadonlyArray<ScoredCell>) => ({
  ...makePanel(cells),
  named: cells.map(mentions),
  asked: cells.map(({ rows }) => rows.length)
})

/**
 * The chance, 0–1, that three answers of a cell do not name the brand, averaged like the share: the posterior mean of
 * (1 − p)³, p ~ beta (Skellam 1948). The mean of p is the share of mentions; its variance follows without bias from
 * pairs of answers to the same cell. Using the third power of each cell's own share of misses would give values 3 to 13
 * points too high. Null if no cell has two answers. Cells of the topic `without` are left out.
 */
const missThrice = (
  { asked, named, platform, platforms, topic }: ReturnType<typeof countTries>,
  without?: number
): number | null => {
  const cells = new Float64Array(platforms)
  let [mentioned, answers, both, pairs] = [0, 0, 0, 0]
  topic.forEach((own, c) => {
    if (own === without) return
    cells[platform[c]!]!++
    mentioned += named[c]!
    answers += asked[c]!
    both += named[c]! * (named[c]! - 1)
    pairs += asked[c]! * (asked[c]! - 1)
  })
  if (pairs === 0) return null
  const mean = mentioned / answers
  const spread = Math.min(0.98, Math.max(0.02, (both / pairs - mean ** 2) / (mean * (1 - mean))))
  const size = 1 / spread - 1
  const answering = cells.filter((own) => own > 0).length
  let chance = 0
  topic.forEach((own, c) => {
    if (own === without) return
    const misses = mean === 0 || mean === 1 ? 1 - mean : openings.reduce(
      (product, n) => product * ((1 - mean) * size + asked[c]! - named[c]! + n) / (size + asked[c]! + n),
      1
    )
    chance += misses * (1 / (answering * cells[platform[c]!]!))
  })
  return chance
}

/** The interval by the jackknife over topics; null below two topics. */
const jackknifeInterval = (tries: ReturnType<typeof countTries>, mean: number): Interval | null => {
  const { topics } = tries
  if (topics < 2) return null
  const without = Array.from({ length: topics }, (_, topic) => missThrice(tries, topic) ?? mean)
  const middle = sum(without) / topics
  const variance = (topics - 1) / topics * sum(without.map((one) => (one - middle) ** 2))
  return estimateJackknife(mean, variance, topics)
}

/** The odds over the answers of these cells; null without answers. */
export const estimateSpotOdds = (cells: ReadonlyArray<ScoredCell>): SpotOdds | null => {
  const odds = averageCells(cells, isNamed)
  if (odds === null) return null
  const tries = countTries(cells)
  const misses = missThrice(tries)
  return {
    odds,
    interval: estimateAlone(cells, isNamed),
    threeMisses: misses === null ? null : 100 * misses,
    threeMissesInterval: misses === null
      ? { low: 100 * (1 - odds / 100) ** 3, high: 100 - odds }
      : jackknifeInterval(tries, misses),
    answers: sum(cells.map(({ rows }) => rows.length)),
    questions: tries.questions,
    topics: tries.topics
  }
}

const percent = (value: number): string => `${roundHalfUp(value, 0)} %`
const range = ({ high, low }: Interval): string => `${roundHalfUp(low, 0)}–${percent(high)}`

/** "Opening one answer shows you 41 % of the time; three misses in a row happen 21 % of the time.", with intervals. */
export const describeSpotOdds = ({ interval, odds, threeMisses, threeMissesInterval }: SpotOdds): string => {
  const one = `Opening one answer shows you ${percent(odds)} of the time${
    interval ? ` (95 %: ${range(interval)})` : ""
  }`
  const between = threeMissesInterval === null ? "" : ` (95 %: ${range(threeMissesInterval)})`
  return threeMisses === null
    ? `${one}. Three misses in a row happen ${range(threeMissesInterval!)} of the time: ` +
      "each question has one answer per platform, and a second scan or samples narrow this."
    : `${one}; three misses in a row happen ${percent(threeMisses)} of the time${between}.`
}

/** What the odds cover, and what they do not cover. */
export const spotCaveat = "The three openings are on three days: on one day answers are more alike. " +
  "A platform's API and its app may answer otherwise than each other."
