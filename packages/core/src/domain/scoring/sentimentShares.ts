/** The sentiments of the answers that name the brand, with intervals (docs/measuring.md). */
import type { KeywordId } from "../ids.ts"
import { Sentiment } from "../measuring/Measurement.ts"
import { sum } from "./cells.ts"
import { estimateJackknife, type Interval } from "./intervals.ts"
import { topicOf } from "./panel.ts"

/** One answer that names the brand. */
export interface JudgedRow {
  readonly keywordId: KeywordId
  /** Absent if the question is its own topic. */
  readonly topic?: string
  /** Null if the answer is not judged. */
  readonly sentiment: Sentiment | null
}

/** One sentiment among the judged answers. */
export interface SentimentShare {
  readonly sentiment: Sentiment
  readonly answers: number
  /** 0–100, unrounded; null if no answer is judged. */
  readonly value: number | null
  /** 95 % interval for other questions like these; null below two topics. */
  readonly interval: Interval | null
}

/** The sentiment shares of a score; answers that are not judged count in no share. */
export interface SentimentShares {
  /** Number of answers that name the brand. */
  readonly named: number
  readonly judged: number
  readonly shares: ReadonlyArray<SentimentShare>
}

/**
 * The interval of a ratio of answers, by the jackknife over topics. Each topic is weighted by its number of answers. If
 * only one topic has a sentiment, or only one lacks it, the sentiment has no spread of its own.
 */
const ratioInterval = (topics: ReadonlyArray<{ readonly own: number; readonly all: number }>): Interval | null => {
  const [own, all] = [sum(topics.map((one) => one.own)), sum(topics.map((one) => one.all))]
  if (topics.length < 2) return null
  const mean = own / all
  const effective = all ** 2 / sum(topics.map((one) => one.all ** 2))
  const without = topics.map((one) => (own - one.own) / (all - one.all))
  const middle = sum(without) / topics.length
  const variance = (topics.length - 1) / topics.length * sum(without.map((one) => (one - middle) ** 2))
  const having = topics.filter((one) => one.own > 0).length
  const lacking = topics.filter((one) => one.own < one.all).length
  return estimateJackknife(mean, variance, effective, Math.max(0, Math.min(having, lacking) - 1))
}

/** Estimates the shares of the sentiments among answers that name the brand. */
export const estimateSentiments = (rows: ReadonlyArray<JudgedRow>): SentimentShares => {
  const judged = rows.filter(({ sentiment }) => sentiment !== null)
  const topics = [...Map.groupBy(judged, topicOf).values()]
  return {
    named: rows.length,
    judged: judged.length,
    shares: Sentiment.literals.map((sentiment): SentimentShare => {
      const count = (of: ReadonlyArray<JudgedRow>) => of.filter((row) => row.sentiment === sentiment).length
      return {
        sentiment,
        answers: count(judged),
        value: judged.length === 0 ? null : 100 * count(judged) / judged.length,
        interval: ratioInterval(topics.map((of) => ({ own: count(of), all: of.length })))
      }
    })
  }
}

/** "18 of 20 answers that name the brand are judged". */
export const describeJudged = ({ judged, named }: SentimentShares): string =>
  `${judged} of ${named} ${named === 1 ? "answer that names" : "answers that name"} the brand ${
    judged === 1 ? "is" : "are"
  } judged`
