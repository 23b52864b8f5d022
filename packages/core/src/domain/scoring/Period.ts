/** The periods that pages show, and the periods that they are compared with. */

import type { VoiceShare } from "./definitions.ts"

/** A period contains the scans that started between `from` and `to`, both inclusive. */
export interface Period {
  readonly from: Date
  readonly to: Date
}

/** A period and the earlier period that it is compared with. */
export interface ComparedPeriods {
  readonly period: Period
  /** Null if the period is not compared. */
  readonly against: Period | null
}

/** The scans behind the score of a period. */
export interface PeriodFacts extends ComparedPeriods {
  /** Number of scans whose answers are in the score. */
  readonly scans: number
  /**
   * Number of scans of the period that are left out: simulated, with other names or rules, or of only some questions.
   */
  readonly leftOut: number
  /** Number of scans of the earlier period that the score is compared with. */
  readonly earlierScans: number
  /** The mention rate of the brand in the answers of the score. */
  readonly mentionRate: VoiceShare
}

/** The period to compare with: the same length just before, or the same days a year before. */
export const againstChoices = ["before", "year"] as const
export type Against = typeof againstChoices[number]

const dayMs = 86_400_000

/** Lengths of the periods that end today, in days. */
export const periodDays = { "4w": 28, quarter: 91 } as const
export type PeriodName = keyof typeof periodDays

/** A named period: whole days in UTC, the last of which contains `now`. */
export const endingAt = (now: Date, name: PeriodName): Period => {
  const tomorrow = (Math.floor(now.getTime() / dayMs) + 1) * dayMs
  return { from: new Date(tomorrow - periodDays[name] * dayMs), to: new Date(tomorrow - 1) }
}

/** 364 days are whole weeks, so that weekdays match */
const yearMs = 364 * dayMs

/** The period to compare with. It ends before the given period begins. */
export const earlierPeriod = ({ from, to }: Period, against: Against): Period => {
  if (against === "year") return { from: new Date(from.getTime() - yearMs), to: new Date(to.getTime() - yearMs) }
  return { from: new Date(2 * from.getTime() - to.getTime() - 1), to: new Date(from.getTime() - 1) }
}
