/** 95 % intervals of shares in closed form, without random numbers (docs/measuring.md). */
import { averageCells, cellMean, type ScoredCell, type Share, sum, weighCells } from "./cells.ts"
import { t95, z95 } from "./studentT.ts"

/** Bounds of a 95 % interval, 0–100, unrounded. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** Fewest keywords for an interval. */
export const minKeywords = 5

/** `middle ± half`, clipped to 0–100. */
export const intervalAround = (middle: number, half: number): Interval => ({
  low: Math.max(0, Math.min(middle, middle - half)),
  high: Math.min(100, Math.max(middle, middle + half))
})

/**
 * Interval of the average for questions similar to the asked ones: a cluster interval over K keywords with Student's t
 * (K − 1 degrees of freedom). All cells of a keyword form one cluster, because platforms answer the same question
 * alike. The variance is the linearized, cluster-robust variance of a mean (CR1, Cameron & Miller 2015); for a full
 * grid of cells it equals s²/K of the keywords' means. Null below 5 keywords, or if a platform answered fewer than 5 or
 * fewer than half of them: it has the same weight as the others, and few answers do not show its spread.
 *
 * If all keywords agree, they show no spread. At most 3 of K keywords are then assumed to differ (the rule of three:
 * Hanley & Lippman-Hand 1983), so that "never named" is not shown as certain.
 */
export const keywordInterval = <Row>(cells: ReadonlyArray<ScoredCell<Row>>, share: Share<Row>): Interval | null => {
  const average = averageCells(cells, share)
  const clusters = new Map<string, number>()
  const platforms = Map.groupBy(cells, (cell) => cell.platform)
  const means = new Map([...platforms].map(([platform, own]) => [platform, averageCells(own, share)!]))
  const weights = weighCells(cells)
  cells.forEach((cell, i) => {
    const deviation = weights[i]! * (cellMean(cell, share) - means.get(cell.platform)!)
    clusters.set(cell.keywordId, (clusters.get(cell.keywordId) ?? 0) + deviation)
  })
  const keywords = clusters.size
  const fewest = Math.min(...[...platforms.values()].map((own) => new Set(own.map((cell) => cell.keywordId)).size))
  if (average === null || fewest < Math.max(minKeywords, keywords / 2)) return null
  const variance = keywords / (keywords - 1) * sum([...clusters.values()].map((one) => one ** 2))
  if (variance < 1e-12) {
    const different = 3 / keywords
    return { low: average * (1 - different), high: average + (100 - average) * different }
  }
  return intervalAround(average, t95(keywords - 1) * Math.sqrt(variance))
}

/**
 * Interval of the average for exactly these keywords, from the differences between samples of a cell. It ignores the
 * differences between keywords and is therefore narrower. The variance is Σ w²·s²/r over the cells, with
 * Satterthwaite's degrees of freedom (1946). A cell with one answer is assumed to vary like the others. Null if no
 * samples were taken, or if they do not differ.
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
 * to exactly the asked questions.
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
    // The formula gives exactly 1, floating point only nearly
    high: mentioned === answers ? 100 : 100 * (middle + half) / (answers + z2)
  }
}
