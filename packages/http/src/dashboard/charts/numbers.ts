/** Numbers, intervals and dates as the pages write them. Shares are 0–100. */
import { roundHalfUp } from "@sov/core/scoring"

/** A 95 % interval in percent. */
export interface Range {
  readonly low: number
  readonly high: number
}

/** An unknown number, such as a share without answers. Never written as 0. */
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

/** Formats of numbers and dates in text. Coordinates of drawings do not use them. */
export interface Formats {
  readonly number: (value: number, digits?: number) => string
  readonly percent: (value: number | null | undefined, digits?: number) => string
  readonly range: (range: Range | null | undefined) => string
  readonly points: (points: number) => string
  readonly count: (count: number) => string
  readonly day: (date: Date) => string
  readonly date: (date: Date) => string
  readonly minute: (date: Date) => string
}

/** The dashboard's formats. */
export const houseFormats: Formats = {
  number: formatNumber,
  percent: formatPercent,
  range: formatRange,
  points: formatPoints,
  count: formatCount,
  day: formatDay,
  date: formatDate,
  minute: formatMinute
}

/** Formats of a locale (BCP 47); times are in UTC. Throws a RangeError for an invalid locale. */
export const makeFormats = (locale: string): Formats => {
  const numbers = [0, 1].map((digits) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  )
  const per = [0, 1].map((digits) =>
    new Intl.NumberFormat(locale, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits })
  )
  const dates = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" })
  const day = dates({ day: "numeric", month: "short" })
  const date = dates({ day: "numeric", month: "short", year: "numeric" })
  const minute = dates({ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" })
  const number = (value: number, digits = 0) => numbers[digits]!.format(roundHalfUp(value, digits))
  return {
    number,
    percent: (value, digits = 0) =>
      value === null || value === undefined ? nothing : per[digits]!.format(roundHalfUp(value, digits) / 100),
    range: (range) => range === null || range === undefined ? "" : `${number(range.low)}–${number(range.high)}`,
    points: (points) => {
      const sign = formatPoints(points)[0]!
      return `${sign === "+" || sign === "−" ? sign : ""}${number(Math.abs(points), 1)}`
    },
    count: (count) => number(count),
    day: (at) => day.format(at),
    date: (at) => date.format(at),
    minute: (at) => `${minute.format(at)} UTC`
  }
}
