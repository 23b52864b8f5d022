/** Numbers, intervals and dates as the pages write them. Shares are 0–100. */
import { roundHalfUp } from "@sov/core"

/** A 95 % interval in percent. */
export interface Range {
  readonly low: number
  readonly high: number
}

/** A number that is not known: no answer, no scan. Never written as 0. */
export const nothing = "–"

/** Rounded half up, as everywhere in sov. */
export const formatNumber = (value: number, digits = 0): string => roundHalfUp(value, digits).toFixed(digits)

/** `37 %` */
export const formatPercent = (value: number | null | undefined, digits = 0): string =>
  value === null || value === undefined ? nothing : `${formatNumber(value, digits)} %`

/** `27–46`; empty without an interval. */
export const formatRange = (range: Range | null | undefined): string =>
  range === null || range === undefined ? "" : `${formatNumber(range.low)}–${formatNumber(range.high)}`

/** `+7.9`, `−0.3`, `0.0` */
export const formatPoints = (points: number): string => {
  const size = formatNumber(Math.abs(points), 1)
  return size === "0.0" ? size : `${points > 0 ? "+" : "−"}${size}`
}

/** `12,345` */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",")

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** `22 Nov`, in UTC. */
export const formatDay = (date: Date): string => `${date.getUTCDate()} ${months[date.getUTCMonth()]!}`

/** `22 Nov 2026`, in UTC. */
export const formatDate = (date: Date): string => `${formatDay(date)} ${date.getUTCFullYear()}`

/** `22 Nov 2026, 01:04 UTC` */
export const formatMinute = (date: Date): string => `${formatDate(date)}, ${date.toISOString().slice(11, 16)} UTC`
