/**
 * Simulated worlds for the statistics of experiments: topics × questions × platforms, five names, and random shocks in
 * each scan.
 */
import {
  type CompetitorId,
  drawPairs,
  findDetectableRise,
  findPower,
  type KeywordId,
  listTopicCourses,
  measureNoise,
  platformIds,
  type ScoredCell
} from "@sov/core"
import { seededRandom } from "./seededRandom.ts"

export interface World {
  readonly topics: number
  /** Standard deviations of the shocks of one scan, on the logit scale. */
  readonly shocks: { readonly topic: number; readonly question: number; readonly platform: number }
}

const names = 5
const competitors = ["r1", "r2", "r3", "r4"] as ReadonlyArray<string> as ReadonlyArray<CompetitorId>
const byPlatform = [0, -0.4, 0.2, 0.4, -0.2]
const chance = (logit: number) => 1 / (1 + Math.exp(-logit))

/**
 * Creates a world: `scan` draws a scan; `shift` is added to the brand's logit by topic, `models` are the models that
 * answer.
 */
const makeWorld = ({ shocks, topics }: World, seed: number) => {
  const random = seededRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const logits = Array.from({ length: topics }, () => {
    const topic = Array.from({ length: names }, () => -1 + 1.4 * normal())
    return [0, 1].map(() => {
      const question = topic.map((one) => one + 0.5 * normal())
      return byPlatform.map((at) => question.map((one) => one + at + 0.6 * normal()))
    })
  })
  const keywordOf = (topic: number, question: number) =>
    `topic ${String(topic).padStart(3, "0")} ${question}` as KeywordId
  const scan = (
    shift: (topic: number) => number = () => 0,
    models: Readonly<Record<string, string>> = {}
  ): ReadonlyArray<ScoredCell> => {
    const platformShocks = byPlatform.map(() => shocks.platform * normal())
    return logits.flatMap((questions, topic) => {
      const ofTopic = Array.from({ length: names }, () => shocks.topic * normal())
      return questions.flatMap((platforms, question) => {
        const ofQuestion = ofTopic.map((one) => one + shocks.question * normal())
        return platforms.map((own, p): ScoredCell => {
          const named = own.map((logit, name) =>
            random() < chance(logit + ofQuestion[name]! + (name === 0 ? platformShocks[p]! + shift(topic) : 0))
          )
          const [platform, keywordId] = [platformIds[p]!, keywordOf(topic, question)]
          const row = {
            platform,
            keywordId,
            brandMentioned: named[0]!,
            competitorsMentioned: competitors.filter((_, i) => named[i + 1]),
            origin: { model: models[platform] ?? "m1", search: null }
          }
          return { platform, keywordId, topic: `topic ${topic}`, rows: [row] }
        })
      })
    })
  }
  /** Expected share of these topics in points, if the brand's logit is shifted. */
  const expected = (of: ReadonlySet<number>, shift: number) => {
    let [total, cells] = [0, 0]
    logits.forEach((questions, topic) => {
      if (!of.has(topic)) return
      for (const own of questions.flat()) {
        let others = [1]
        for (const logit of own.slice(1)) {
          const q = chance(logit)
          others = [...others, 0].map((one, i) => one * (1 - q) + (others[i - 1] ?? 0) * q)
        }
        total += 100 * chance(own[0]! + shift) * others.reduce((sum, one, i) => sum + one / (1 + i), 0)
        cells++
      }
    })
    return total / cells
  }
  /** The shift that raises the share of these topics by this many points; null if no shift does. */
  const shiftFor = (of: ReadonlySet<number>, points: number): number | null => {
    const from = expected(of, 0)
    if (expected(of, 12) - from < points) return null
    let [low, high] = [0, 12]
    for (let i = 0; i < 25; i++) {
      const middle = (low + high) / 2
      if (expected(of, middle) - from < points) low = middle
      else high = middle
    }
    return high
  }
  return { scan, shiftFor }
}

/**
 * Plans an experiment in a world: four scans before the change, and the draw with its promised power for four scans
 * after the change.
 */
export const planIn = (world: World, seed: number) => {
  const { scan, shiftFor } = makeWorld(world, seed)
  const before = [scan(), scan(), scan(), scan()]
  const courses = listTopicCourses(before)
  const pairs = drawPairs(courses, (seed * 2_654_435_761 >>> 0).toString(16).padStart(8, "0"))
  const input = { ...measureNoise(courses), scansBefore: 4, scansAfter: 4, pairs: pairs.length }
  const treated = new Set(pairs.map((pair) => Number(pair.treated[0]!.slice(6, 9))))
  return {
    before,
    pairs,
    treated,
    scan,
    shiftFor,
    rise: findDetectableRise(input),
    power: (points: number) => findPower(input, points / 100)
  }
}
