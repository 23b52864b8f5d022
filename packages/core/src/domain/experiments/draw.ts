/**
 * The draw of an experiment: topics with similar earlier shares form pairs, and in each pair chance selects the topic
 * to treat.
 */
import type { KeywordId } from "../ids.ts"
import { cellMean, type ScoredCell, scoreRow, sum } from "../scoring/cells.ts"
import { meanOf, topicOf } from "../scoring/panel.ts"
import { makeRandom } from "../scoring/seededRandom.ts"

/** A topic: its questions, and its share (0–1) in each scan, oldest first; NaN if a scan has no answer. */
export interface TopicCourse {
  readonly topic: string
  readonly keywords: ReadonlyArray<KeywordId>
  readonly shares: ReadonlyArray<number>
  /** Number of answers to the topic's questions in the newest scan. */
  readonly answers: number
}

/** A treated topic and the topic that is held out beside it, as lists of their questions. */
export interface Pair {
  readonly treated: ReadonlyArray<KeywordId>
  readonly held_out: ReadonlyArray<KeywordId>
}

/** Minimum number of topics in an experiment: with ten, only a rise of 24 to 30 points would be detected. */
export const minTopics = 16

/** Each topic's share in every scan, oldest scan first. Topics without an answer in one of the scans are left out. */
export const listTopicCourses = (scans: ReadonlyArray<ReadonlyArray<ScoredCell>>): ReadonlyArray<TopicCourse> => {
  const byScan = scans.map((cells) => Map.groupBy(cells, topicOf))
  const topics = new Set(scans.flatMap((cells) => cells.map(topicOf)))
  return [...topics].toSorted().map((topic): TopicCourse => {
    const own = byScan.map((one) => one.get(topic) ?? [])
    return {
      topic,
      keywords: [...new Set(own.flat().map(({ keywordId }) => keywordId))].toSorted(),
      shares: own.map((cells) => meanOf(cells.map((cell) => cellMean(cell, scoreRow) / 100))),
      answers: sum(own.at(-1)!.map(({ rows }) => rows.length))
    }
  }).filter(({ shares }) => shares.every((share) => !Number.isNaN(share)))
}

/**
 * Sorts the topics by their mean share, pairs neighbours, and uses the seed to choose the treated topic of each pair.
 * If the number is odd, the topic with the highest share is left out.
 */
export const drawPairs = (courses: ReadonlyArray<TopicCourse>, seed: string): ReadonlyArray<Pair> => {
  const random = makeRandom(Number.parseInt(seed, 16))
  const share = ({ shares }: TopicCourse) => sum(shares) / shares.length
  const order = courses.toSorted((a, b) => share(a) - share(b) || (a.topic < b.topic ? -1 : 1))
  return Array.from({ length: Math.floor(order.length / 2) }, (_, i) => {
    const [one, other] = [order[2 * i]!.keywords, order[2 * i + 1]!.keywords]
    return random() < 0.5 ? { treated: one, held_out: other } : { treated: other, held_out: one }
  })
}
