/** The cells of a share as arrays, and the variance of their average with topics as clusters (docs/measuring.md). */
import type { KeywordId } from "../ids.ts"
import { cellMean, type ScoredCell, type ScoredRow, type Share, sum } from "./cells.ts"

/** Each cell is one question on one platform and belongs to one topic; all of them are indices from 0. */
export interface Panel {
  readonly topic: Int32Array
  readonly question: Int32Array
  readonly platform: Int32Array
  readonly topics: number
  readonly questions: number
  readonly platforms: number
}

/** Cell means of one name, 0–1; NaN = missing. */
export type Values = Float64Array

const indexBy = <Key>(keys: ReadonlyArray<Key>): { readonly of: Int32Array; readonly count: number } => {
  const index = new Map<Key, number>()
  const of = Int32Array.from(keys, (key) => {
    const found = index.get(key) ?? index.size
    index.set(key, found)
    return found
  })
  return { of, count: index.size }
}

/** The topic of a cell: a question without a topic is its own topic. */
export const topicOf = ({ keywordId, topic }: Pick<ScoredCell, "keywordId" | "topic">): string => topic ?? keywordId

/** Numbers the cells. */
export const makePanel = (cells: ReadonlyArray<Pick<ScoredCell, "platform" | "keywordId" | "topic">>): Panel => {
  const topic = indexBy(cells.map(topicOf))
  const question = indexBy<KeywordId>(cells.map(({ keywordId }) => keywordId))
  const platform = indexBy(cells.map((cell) => cell.platform))
  return {
    topic: topic.of,
    question: question.of,
    platform: platform.of,
    topics: topic.count,
    questions: question.count,
    platforms: platform.count
  }
}

/** The values of one share by cell; NaN for a cell without an answer. */
export const valuesOf = <Row>(
  cells: ReadonlyArray<Pick<ScoredCell<Row>, "rows">>,
  share: Share<Row>
): Values => Float64Array.from(cells, (cell) => cellMean(cell, share) / 100)

/** The brand's key among the values of names; the key of a competitor is its id. */
export const brandKey = ""

/** The values of every tracked name in these answers; with `without`, as if no answer contained that name. */
export const valuesOfNames = (
  cells: ReadonlyArray<ScoredCell>,
  without?: string
): ReadonlyMap<string, Values> => {
  const values = new Map<string, Values>()
  const add = (name: string, cell: number, share: number) => {
    const own = values.get(name) ?? new Float64Array(cells.length)
    own[cell]! += share
    values.set(name, own)
  }
  const addRow = (cell: number, { brandMentioned, competitorsMentioned }: ScoredRow, answers: number) => {
    const all = brandMentioned ? [brandKey, ...competitorsMentioned] : competitorsMentioned
    const names = without === undefined ? all : all.filter((name) => name !== without)
    for (const name of names) add(name, cell, 1 / answers / names.length)
  }
  cells.forEach(({ rows }, cell) => rows.forEach((row) => addRow(cell, row, rows.length)))
  return values
}

/** A variance with its degrees of freedom; NaN without data. */
export interface Variance {
  readonly variance: number
  readonly df: number
}

/** The average of a share over platforms, with its variance. */
export interface Clustered extends Variance {
  /** 0–1 */
  readonly mean: number
  /** Number of topics with a mention. */
  readonly named: number
  /**
   * The number of topics with a mention, or without a full share if there are fewer of these, minus one. It is the
   * weight of the name's own spread.
   */
  readonly carrying: number
  /** Mean and variance of each platform; NaN for a platform without an answer. */
  readonly platformMeans: Float64Array
  readonly platformVariances: ReadonlyArray<Variance>
  /** The part of each platform's variance that its topics do not share with the other platforms. */
  readonly interactions: Float64Array
  /** Number of platforms that have an answer. */
  readonly answering: number
}

/**
 * The mean over platforms of the mean over questions. Questions and platforms have the same weight; a topic has the
 * weight of its questions. The variance is linearized (Cameron & Miller 2015): with e the error and w the weight of a
 * topic and S = Σw², it is S Σe² / Σw²(1 − 2w + S), which is unbiased for topics of unequal size and s²/G for G equal
 * ones. Its degrees of freedom are 1/S − 1.
 */
export const clusterByTopic = (panel: Panel, values: Values): Clustered => {
  const { platforms: P, topics: G } = panel
  const counts = new Float64Array(P)
  const means = new Float64Array(P)
  for (let c = 0; c < values.length; c++) {
    if (Number.isNaN(values[c])) continue
    counts[panel.platform[c]!]!++
    means[panel.platform[c]!]! += values[c]!
  }
  for (let p = 0; p < P; p++) means[p]! /= counts[p]!
  const answering = counts.filter((count) => count > 0).length
  const errors = new Float64Array(G * P)
  const weights = new Float64Array(G * P)
  const totals = new Float64Array(G)
  const cells = new Float64Array(G)
  for (let c = 0; c < values.length; c++) {
    if (Number.isNaN(values[c])) continue
    const [g, p] = [panel.topic[c]!, panel.platform[c]!]
    errors[g * P + p]! += (values[c]! - means[p]!) / counts[p]!
    weights[g * P + p]! += 1 / counts[p]!
    totals[g]! += values[c]!
    cells[g]!++
  }
  const topicErrors = new Float64Array(G)
  const topicWeights = new Float64Array(G)
  for (let i = 0; i < errors.length; i++) {
    topicErrors[Math.floor(i / P)]! += errors[i]! / answering
    topicWeights[Math.floor(i / P)]! += weights[i]! / answering
  }
  const estimate = (error: (g: number) => number, weight: (g: number) => number): Variance => {
    let [S, squares, expected] = [0, 0, 0]
    for (let g = 0; g < G; g++) S += weight(g) ** 2
    for (let g = 0; g < G; g++) {
      squares += error(g) ** 2
      expected += weight(g) ** 2 * (1 - 2 * weight(g) + S)
    }
    return { variance: expected > 1e-15 ? S * squares / expected : Number.NaN, df: S > 0 ? 1 / S - 1 : 0 }
  }
  let [named, notFull, total] = [0, 0, 0]
  for (let g = 0; g < G; g++) {
    if (cells[g] === 0) continue
    if (totals[g]! > 1e-9) named++
    if (totals[g]! < cells[g]! - 1e-9) notFull++
  }
  for (const mean of means) if (!Number.isNaN(mean)) total += mean
  return {
    ...estimate((g) => topicErrors[g]!, (g) => topicWeights[g]!),
    mean: total / answering,
    named,
    carrying: Math.max(0, Math.min(named, notFull) - 1),
    platformMeans: means,
    platformVariances: Array.from(means, (_, p) => estimate((g) => errors[g * P + p]!, (g) => weights[g * P + p]!)),
    interactions: Float64Array.from(
      means,
      (_, p) =>
        answering < 2 ? Number.NaN : estimate((g) => errors[g * P + p]! - topicErrors[g]!, (g) => weights[g * P + p]!)
          .variance * answering / (answering - 1)
    ),
    answering
  }
}

/** The mean of the values that are not missing; NaN if all are missing. */
export const meanOf = (values: Iterable<number>): number => {
  const known = [...values].filter((value) => !Number.isNaN(value))
  return sum(known) / known.length
}
