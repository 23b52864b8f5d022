/** How large an effect an experiment can detect (docs/experiments.md, section "Power"). */
import { sum } from "../scoring/cells.ts"
import { meanOf } from "../scoring/panel.ts"
import { studentTail, t95 } from "../scoring/studentT.ts"
import type { TopicCourse } from "./draw.ts"

/** The values that the power depends on. */
export interface PowerInput {
  /** The variance of one topic's share (0–1) in one scan, without the variation that all topics have in common. */
  readonly noise: number
  /** Mean share in earlier scans, 0–1. */
  readonly level: number
  readonly scansBefore: number
  readonly scansAfter: number
  readonly pairs: number
}

/**
 * The noise and level of the topics, from at least two earlier scans. The noise is at least the bound of the rule of
 * three: if none of N answers has changed, up to 3 / N of them may still change.
 */
export const measureNoise = (courses: ReadonlyArray<TopicCourse>): Pick<PowerInput, "level" | "noise"> => {
  const scans = courses[0]?.shares.length ?? 0
  const means = Array.from({ length: scans }, (_, i) => meanOf(courses.map(({ shares }) => shares[i]!)))
  const variances = courses.map(({ shares }) => {
    const own = shares.map((share, i) => share - means[i]!)
    const middle = sum(own) / scans
    return sum(own.map((value) => (value - middle) ** 2)) / (scans - 1)
  })
  const floor = 3 * meanOf(courses.map(({ answers }) => answers ** -2)) / (scans * courses.length)
  return { level: meanOf(means), noise: Math.max(floor, meanOf(variances)) }
}

const spreadOf = (share: number): number => Math.max(0.01, share * (1 - share))

/**
 * The probability that a rise (0–1) of the treated topics is detected: P(T > t − rise / √(v / pairs)) at the 5 % level,
 * v = noise (2 / before + (1 + r) / after) + (.4 rise)². The noise of a share grows with m(1 − m), by the factor r.
 * Effects are assumed to differ between topics by .4 of their size, a value chosen on the simulated worlds.
 */
export const findPower = ({ level, noise, pairs, scansAfter, scansBefore }: PowerInput, rise: number): number => {
  const r = spreadOf(level + rise) / spreadOf(level)
  const variance = noise * (2 / scansBefore + (1 + r) / scansAfter) + (0.4 * rise) ** 2
  const t = t95(pairs - 1) - rise / Math.sqrt(variance / pairs)
  const tail = studentTail(t, pairs - 1) / 2
  return t > 0 ? tail : 1 - tail
}

/** The smallest rise, in points with one digit, that would be detected in 80 of 100 cases; null if no rise would be. */
export const findDetectableRise = (input: PowerInput): number | null => {
  for (let tenths = 1; input.level + tenths / 1000 < 1; tenths++) {
    if (findPower(input, tenths / 1000) >= 0.8) return tenths / 10
  }
  return null
}
