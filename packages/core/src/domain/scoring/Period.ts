/** Periods that pages look at, and the ones that they are compared with. */

/** Scans that started from `from` to `to`, both included. */
export interface Period {
  readonly from: Date
  readonly to: Date
}

/** A period, and the one that it is compared with. */
export interface ComparedPeriods {
  readonly period: Period
  /** Null = it is not compared. */
  readonly against: Period | null
}

/** What stands behind the score of a period. */
export interface PeriodFacts extends ComparedPeriods {
  /** Scans whose answers are in it. */
  readonly scans: number
  /** Scans of the period that are not in it: simulated ones, other names or rules, a part of the questions. */
  readonly leftOut: number
  /** Scans of the earlier period that it is compared with. */
  readonly earlierScans: number
}

/** The same length just before, or the same days a year before. */
export const againstChoices = ["before", "year"] as const
export type Against = typeof againstChoices[number]

const dayMs = 86_400_000

/** Lengths of the periods that end today, in days. */
export const periodDays = { "4w": 28, quarter: 91 } as const
export type PeriodName = keyof typeof periodDays

/** A named period: whole days in UTC, of which the day of `now` is the last. */
export const endingAt = (now: Date, name: PeriodName): Period => {
  const tomorrow = (Math.floor(now.getTime() / dayMs) + 1) * dayMs
  return { from: new Date(tomorrow - periodDays[name] * dayMs), to: new Date(tomorrow - 1) }
}

/** 364 days before: whole weeks, so that weekdays match. */
const yearMs = 364 * dayMs

/** The period to compare with. It ends before the other begins. */
export const earlierPeriod = ({ from, to }: Period, against: Against): Period => {
  if (against === "year") return { from: new Date(from.getTime() - yearMs), to: new Date(to.getTime() - yearMs) }
  return { from: new Date(2 * from.getTime() - to.getTime() - 1), to: new Date(from.getTime() - 1) }
}
