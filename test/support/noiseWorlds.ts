/**
 * Simulated panels for testing the noise model: the suite draws a few scans of them, `npm run benchmark:noise` draws
 * many.
 */
import {
  addNoise,
  type CompetitorId,
  type KeywordId,
  makeRandom,
  type NoiseCounts,
  type NoisePanel,
  platformIds,
  simulateNoise
} from "@sov/core"

export interface NoiseWorld {
  readonly name: string
  readonly topics: number
  readonly paraphrases: number
  readonly samples: number
  /** The brand's average chance of being named, in logits, and how much topics differ. */
  readonly level: number
  readonly spread: number
  /**
   * Whether the chances of topics follow the arcsine law (most near 0 or 1) instead of a normal distribution in logits.
   */
  readonly arcSine?: boolean
}

const competitors = ["r1", "r2", "r3", "r4"].map((id) => id as CompetitorId)

/** Chances of each name, with effects of topic, question and cell. */
export const panelOf = ({ arcSine, level, paraphrases, samples, spread, topics }: NoiseWorld, seed: number) => {
  const random = makeRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const ofTopic = (middle: number) => {
    if (arcSine !== true) return middle + spread * normal()
    const chance = Math.min(0.99, Math.max(0.01, Math.sin(Math.PI / 2 * random()) ** 2))
    return middle + Math.log(chance / (1 - chance))
  }
  const levels = [level, ...competitors.map(() => -0.5 + normal())]
  const cells = Array.from({ length: topics }, (_, t) => {
    const topic = levels.map(ofTopic)
    return Array.from({ length: paraphrases }, (_, q) => {
      const question = topic.map((one) => one + 0.5 * normal())
      return platformIds.map((platform) => ({
        platform,
        keywordId: `${t} ${q}` as KeywordId,
        topic: String(t),
        samples,
        chances: question.map((one) => 1 / (1 + Math.exp(-one - 0.6 * normal())))
      }))
    })
  }).flat(2)
  return { cells, competitors } satisfies NoisePanel
}

/** Sums over several panels of a world, each with `scans` scans. */
export const measureWorld = (world: NoiseWorld, panels: number, scans: number): NoiseCounts =>
  Array.from(
    { length: panels },
    (_, n) => simulateNoise(panelOf(world, n + 1), { random: makeRandom(n + 100), scans, threshold: null })
  ).reduce(addNoise)

export const ordinaryWorld: NoiseWorld = {
  name: "20 topics",
  topics: 20,
  paraphrases: 1,
  samples: 1,
  level: -0.5,
  spread: 1.4
}

export const noiseWorlds: ReadonlyArray<NoiseWorld> = [
  { ...ordinaryWorld, name: "5 topics", topics: 5 },
  { ...ordinaryWorld, name: "10 topics", topics: 10 },
  ordinaryWorld,
  { ...ordinaryWorld, name: "20 topics × 3 answers", samples: 3 },
  { ...ordinaryWorld, name: "10 topics × 4 paraphrases", topics: 10, paraphrases: 4 },
  { ...ordinaryWorld, name: "20 topics, rarely named", level: -4 },
  { ...ordinaryWorld, name: "20 topics, nearly always named", level: 4 },
  { ...ordinaryWorld, name: "20 topics, all or nothing", spread: 4 },
  { ...ordinaryWorld, name: "20 topics, arc sine", arcSine: true },
  { ...ordinaryWorld, name: "50 topics", topics: 50 }
]
