/** 95 % intervals of shares in closed form, without random numbers (docs/measuring.md). */
import { averageCells, cellMean, type ScoredCell, type Share, sum, weighCells } from "./cells.ts"
import { clusterByTopic, type Clustered, makePanel, type Panel, type Values, valuesOf, valuesOfNames } from "./panel.ts"
import { t95, z95 } from "./studentT.ts"

/** Bounds of a 95 % interval, 0–100, unrounded. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * Minimum number of keywords for an interval, each with its own topic, because one topic tells nothing about others.
 */
export const minKeywords = 2

/** `middle ± half`, clipped to 0–100. */
export const intervalAround = (middle: number, half: number): Interval => ({
  low: Math.max(0, Math.min(middle, middle - half)),
  high: Math.min(100, Math.max(middle, middle + half))
})

/** The fields of an average that its interval depends on. */
type Estimate = Pick<Clustered, "mean" | "variance" | "df" | "carrying">

/** The largest possible variance of a topic's share, m(1 − m), estimated from the average itself. */
const possibleVariance = ({ mean, variance }: Estimate): number => mean * (1 - mean) + variance

/**
 * The variance between topics as a part of the possible variance, in (0, 1]; 1 means that each topic's share is all or
 * nothing.
 */
const dispersionOf = (estimates: ReadonlyArray<Estimate>): number => {
  const possible = sum(estimates.map(possibleVariance))
  if (possible < 1e-12) return 1
  return Math.min(1, Math.max(1e-6, sum(estimates.map(({ df, variance }) => variance * (df + 1))) / possible))
}

/** The dispersion of all names is weighted like this number of topics with a mention. */
const priorTopics = 8

/**
 * Wilson's interval (1927) with Student's t and n = effective topics / dispersion (a design effect: Kish 1965). The
 * name's own dispersion is shrunk towards that of all tracked names in the same answers (`pool`); a name with at most
 * one topic uses the pool's dispersion alone. The pool's dispersion is shrunk towards 1 (all or nothing) with the
 * weight of one degree of freedom. The other names also add degrees of freedom, at most `maxBorrowed`. Null below two
 * effective topics.
 */
const wilsonByTopic = (own: Estimate, pool: ReadonlyArray<Estimate>, maxBorrowed = 4): Interval | null => {
  if (!(own.df > minKeywords - 1 - 0.01)) return null
  const topics = own.df + 1
  const others = pool.every((one) => one === own) ? [] : pool
  const sizes = others.map(possibleVariance)
  const names = sum(sizes) ** 2 / Math.max(1e-30, sum(sizes.map((size) => size ** 2)))
  const prior = (names * own.df * dispersionOf(others) + 1) / (names * own.df + 1)
  // Without another name, there is no data for the prior
  const weight = names === 0 ? 1 : priorTopics
  const dispersion = (own.carrying * dispersionOf([own]) + weight * prior) / (own.carrying + weight)
  const t2 = t95(own.df + Math.min(maxBorrowed, Math.max(0, names - 1) * own.df / 2)) ** 2
  const n = topics / dispersion
  const { mean } = own
  const middle = (mean + t2 / 2 / n) / (1 + t2 / n)
  const half = Math.sqrt(t2 * (Math.max(0, mean * (1 - mean)) / n + t2 / 4 / n ** 2)) / (1 + t2 / n)
  // At the ends the formula gives exactly 0 and 1, but floating point is slightly off
  return { low: mean < 1e-12 ? 0 : 100 * (middle - half), high: mean > 1 - 1e-12 ? 100 : 100 * (middle + half) }
}

/** Whether each platform answered enough questions to show its spread: at least half of them, on enough topics. */
const isCovered = ({ platform, platforms, questions, topic }: Panel): boolean => {
  const own = Array.from({ length: platforms }, () => ({ topics: new Set<number>(), cells: 0 }))
  platform.forEach((p, c) => {
    own[p]!.topics.add(topic[c]!)
    own[p]!.cells++
  })
  return own.every(({ cells, topics }) => topics.size >= minKeywords && 2 * cells >= questions)
}

/** The cells as a panel; null if there are too few for an interval. */
const coveredPanel = (cells: ReadonlyArray<Pick<ScoredCell, "platform" | "keywordId" | "topic">>): Panel | null => {
  const panel = makePanel(cells)
  return panel.topics >= minKeywords && isCovered(panel) ? panel : null
}

/**
 * The interval of an average that does not belong to a tracked name, such as the rate of citations
 * (`estimateIntervals`).
 */
export const estimateAlone = <Row>(cells: ReadonlyArray<ScoredCell<Row>>, share: Share<Row>): Interval | null => {
  const panel = coveredPanel(cells)
  if (panel === null) return null
  const own = clusterByTopic(panel, valuesOf(cells, share))
  return wilsonByTopic(own, [own])
}

/**
 * The interval of an estimate, 0–1, from its jackknife variance over (effective) topics; `carrying` as in `Clustered`.
 * Null below two topics.
 */
export const estimateJackknife = (
  mean: number,
  variance: number,
  topics: number,
  carrying = topics - 1
): Interval | null => {
  const own = { mean, variance, df: topics - 1, carrying }
  return wilsonByTopic(own, [own])
}

/**
 * Returns a function that computes intervals of averages over the same cells, for other topics like these. Every share
 * uses it (headline, platform, tag, competitor, "nobody"). The interval is null below two topics, or if a platform
 * answered fewer than two topics or fewer than half of the questions: such a platform has the same weight as the
 * others, but its few answers do not show its spread.
 *
 * A name with mentions in only one topic uses the dispersion of the other names, as they would be without it. Its
 * interval is therefore never narrower than that of a name without a mention.
 */
export const estimateIntervals = (cells: ReadonlyArray<ScoredCell>): (share: Share) => Interval | null => {
  const names = valuesOfNames(cells)
  const intervalOf = estimateNames(cells, (without) => without === undefined ? names : valuesOfNames(cells, without))
  return (share) => {
    const values = valuesOf(cells, share)
    const isSame = (name: string) => names.get(name)!.every((value, c) => Math.abs(value - values[c]!) < 1e-9)
    return intervalOf([...names.keys()].find(isSame) ?? values)
  }
}

/**
 * Like `estimateIntervals`, for any definition of a share. `valuesOf` returns the values of all names in the cells; if
 * it is given a name, it returns the values that the others would have without that name. The returned function accepts
 * a name, or values that belong to no name.
 */
export const estimateNames = (
  cells: ReadonlyArray<Pick<ScoredCell, "platform" | "keywordId" | "topic">>,
  valuesOf: (without?: string) => ReadonlyMap<string, Values>
): (of: string | Values) => Interval | null => {
  const panel = coveredPanel(cells)
  if (panel === null) return () => null
  const estimatesOf = (names: ReadonlyMap<string, Values>) =>
    new Map([...names].map(([name, values]) => [name, clusterByTopic(panel, values)]))
  const pool = estimatesOf(valuesOf())
  return (of) => {
    const values = typeof of === "string" ? new Float64Array(cells.length) : of
    const known = typeof of === "string" ? pool.get(of) : undefined
    const own = known ?? clusterByTopic(panel, values)
    const others = typeof of !== "string" || own.named > 1 ? pool : estimatesOf(valuesOf(of))
    return wilsonByTopic(own, [...others.values()])
  }
}

/** The interval of one share (`estimateIntervals`). */
export const keywordInterval = (cells: ReadonlyArray<ScoredCell>, share: Share): Interval | null =>
  estimateIntervals(cells)(share)

/**
 * Interval of the average for exactly these keywords, from the differences between samples of a cell. It ignores the
 * differences between keywords and is therefore narrower. The variance is Σ w²·s²/r over the cells, with
 * Satterthwaite's degrees of freedom (1946). A cell with one answer is assumed to vary like the others. Null without
 * samples, or if the samples do not differ.
 */
export const samplingInterval = (cells: ReadonlyArray<ScoredCell>, share: Share): Interval | null => {
  const average = averageCells(cells, share)
  const weights = weighCells(cells)
  const spread = cells.map((cell) => {
    const mean = cellMean(cell, share)
    return sum(cell.rows.map((row) => (share(row) - mean) ** 2))
  })
  const freedom = sum(cells.map((cell) => cell.rows.length - 1))
  const pooled = freedom === 0 ? 0 : sum(spread) / freedom
  if (average === null || pooled < 1e-9) return null
  const parts = cells.map((cell, i) => {
    const df = cell.rows.length - 1
    return { df, variance: weights[i]! ** 2 * (df === 0 ? pooled : spread[i]! / df) / cell.rows.length }
  })
  const variance = sum(parts.map((part) => part.variance))
  const fourth = sum(parts.map((part) => part.df === 0 ? 0 : part.variance ** 2 / part.df))
  return intervalAround(average, t95(Math.min(freedom, variance ** 2 / fourth)) * Math.sqrt(variance))
}

/**
 * The percentage of answers that name the brand, with Wilson's interval. Like `samplingInterval`, the interval applies
 * only to the questions that were asked.
 */
export interface MentionRate extends Interval {
  readonly mentioned: number
  readonly answers: number
  readonly rate: number
}

/** Mention rate with Wilson's score interval (Wilson 1927) at 95 %; null without answers. */
export const mentionRate = (mentioned: number, answers: number): MentionRate | null => {
  if (answers === 0) return null
  const z2 = z95 ** 2
  const middle = mentioned + z2 / 2
  const half = z95 * Math.sqrt(mentioned * (answers - mentioned) / answers + z2 / 4)
  return {
    mentioned,
    answers,
    rate: 100 * mentioned / answers,
    low: 100 * (middle - half) / (answers + z2),
    // The formula gives exactly 1, but floating point is slightly off
    high: mentioned === answers ? 100 : 100 * (middle + half) / (answers + z2)
  }
}
