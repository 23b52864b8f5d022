/** The odds that a person who opens one answer, or three in a row, sees the brand (docs/measuring.md). */
import { averageCells, type ScoredCell, type ScoredRow, sum, weighCells } from "./cells.ts"
import { estimateAlone, estimateJackknife, type Interval } from "./intervals.ts"
import { topicOf } from "./panel.ts"
import { roundHalfUp } from "./Score.ts"

/** Chances in percent, unrounded, for questions and platforms that a person picks at random. */
export interface SpotOdds {
  /** The chance that one answer names the brand. */
  readonly odds: number
  readonly interval: Interval | null
  /**
   * The chance that three answers to one question on one platform all miss the brand; null if no cell has two answers.
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

/**
 * The chance, 0–1, that three answers of each cell do not name the brand: the posterior mean of (1 − p)³, p ~ beta
 * (Skellam 1948). The mean of p is the share of mentions; its variance follows without bias from pairs of answers to
 * the same cell. Using the third power of each cell's own share of misses would give values 3 to 13 points too high.
 * Null if no cell has two answers.
 */
const missThrice = (cells: ReadonlyArray<ScoredCell>): ReadonlyArray<number> | null => {
  const tries = cells.map((cell) => ({ named: mentions(cell), asked: cell.rows.length }))
  const pairs = sum(tries.map(({ asked }) => asked * (asked - 1)))
  if (pairs === 0) return null
  const mean = sum(tries.map(({ named }) => named)) / sum(tries.map(({ asked }) => asked))
  if (mean === 0 || mean === 1) return cells.map(() => 1 - mean)
  const square = sum(tries.map(({ named }) => named * (named - 1))) / pairs
  const spread = Math.min(0.98, Math.max(0.02, (square - mean ** 2) / (mean * (1 - mean))))
  const size = 1 / spread - 1
  return tries.map(({ asked, named }) =>
    openings.reduce((chance, n) => chance * ((1 - mean) * size + asked - named + n) / (size + asked + n), 1)
  )
}

const weightedMissThrice = (cells: ReadonlyArray<ScoredCell>): number | null => {
  const weights = weighCells(cells)
  const chances = missThrice(cells)
  return chances === null ? null : sum(chances.map((chance, c) => chance * weights[c]!))
}

/** The interval by the jackknife over topics; null below two topics. */
const jackknifeInterval = (cells: ReadonlyArray<ScoredCell>, mean: number): Interval | null => {
  const topics = [...new Set(cells.map(topicOf))]
  if (topics.length < 2) return null
  const without = topics.map((topic) => weightedMissThrice(cells.filter((cell) => topicOf(cell) !== topic)) ?? mean)
  const middle = sum(without) / topics.length
  const variance = (topics.length - 1) / topics.length * sum(without.map((one) => (one - middle) ** 2))
  return estimateJackknife(mean, variance, topics.length)
}

/** The odds over the answers of these cells; null without answers. */
export const estimateSpotOdds = (cells: ReadonlyArray<ScoredCell>): SpotOdds | null => {
  const odds = averageCells(cells, isNamed)
  if (odds === null) return null
  const misses = weightedMissThrice(cells)
  return {
    odds,
    interval: estimateAlone(cells, isNamed),
    threeMisses: misses === null ? null : 100 * misses,
    threeMissesInterval: misses === null
      ? { low: 100 * (1 - odds / 100) ** 3, high: 100 - odds }
      : jackknifeInterval(cells, misses),
    answers: sum(cells.map(({ rows }) => rows.length)),
    questions: new Set(cells.map(({ keywordId }) => keywordId)).size,
    topics: new Set(cells.map(topicOf)).size
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
