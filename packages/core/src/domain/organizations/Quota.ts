/** The monthly quota of manual scans. A month is a calendar month in UTC, never in the session's time zone. */

/** The month of an instant in UTC, as `YYYY-MM`. */
export const quotaPeriod = (now: Date): string => now.toISOString().slice(0, 7)

/** First instant of `period`. */
export const periodStart = (period: string): Date => new Date(`${period}-01T00:00:00Z`)

/** First instant of the month after `period`. */
export const periodEnd = (period: string): Date =>
  new Date(Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5, 7)), 1))

/** Maximum value of the monthly limit of manual scans. */
export const maxScanQuota = 999_999

/** The use of a month's quota. */
export interface Quota {
  /** `YYYY-MM`, UTC. */
  readonly period: string
  readonly limit: number
  readonly used: number
  readonly remaining: number
  readonly resetsAt: Date
}

/** The quota of a month. The remainder is never negative, even if the limit was lowered below the number used. */
export const makeQuota = (period: string, limit: number, used: number): Quota => ({
  period,
  limit,
  used,
  remaining: Math.max(0, limit - used),
  resetsAt: periodEnd(period)
})
