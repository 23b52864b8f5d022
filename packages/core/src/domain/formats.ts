/**
 * Formats numbers, dates and times for people. JSON, CSV and the archive use none of these formats. Shares are 0–100.
 */
import { roundHalfUp } from "./scoring/Score.ts"

/** A reader's place: the language of numbers and dates (BCP 47), and the time zone of the organization (IANA). */
export interface Place {
  readonly locale: string
  readonly timeZone: string
}

/** The place that is assumed for an unknown reader. The documentation uses its formats. */
export const defaultPlace: Place = { locale: "en", timeZone: "UTC" }

/** A 95 % interval in percent. */
export interface Range {
  readonly low: number
  readonly high: number
}

/** Shown for an unknown number, such as a share without answers, instead of 0. */
export const nothing = "–"

/**
 * Functions that format dates such as `22 Nov 2026, 14:05 CET` and their parts, and numbers with the signs of the
 * place.
 */
export interface Formats {
  /** Rounds half up, like all of sov. */
  readonly number: (value: number, digits?: number) => string
  /** `37 %` */
  readonly percent: (value: number | null | undefined, digits?: number) => string
  /** `27–46`; an empty text without an interval. */
  readonly range: (range: Range | null | undefined) => string
  /** `+7.9`, `−0.3`, `0.0` */
  readonly points: (points: number) => string
  /** `12,345` */
  readonly count: (count: number) => string
  /** `$0.0042`, `$1.20` */
  readonly dollars: (amount: number) => string
  /** `22 Nov` in the time zone. */
  readonly day: (at: Date) => string
  /** `22 Nov 2026` in the time zone. */
  readonly date: (at: Date) => string
  /** `22 Nov 2026, 14:05 CET` */
  readonly minute: (at: Date) => string
  /** `14:05:09 CET` */
  readonly second: (at: Date) => string
  /** `Mon 22 Nov 2026, 14:05 CET` */
  readonly weekday: (at: Date) => string
  /** `22 Nov 2026`: a calendar day, which is the same in every time zone. It is given by its first instant in UTC. */
  readonly calendarDay: (day: Date) => string
}

/** Locales whose data contains short names for different time zones. */
const namingLocales = ["en-GB", "en-US", "en-AU", "en-NZ", "en-IN", "en-ZA"]
const [winter, summer] = [new Date(Date.UTC(2026, 0, 1)), new Date(Date.UTC(2026, 6, 1))]

/**
 * Creates a function that names a zone at an instant: `CET`, `EST`, or `GMT+9` if the zone has no short name in
 * English.
 */
const makeZoneNamer = (timeZone: string): (at: Date) => string => {
  if (timeZone === "UTC") return () => "UTC"
  const namers = namingLocales.map((locale) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "short" })
    return (at: Date) => format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? timeZone
  })
  return namers.find((name) => [winter, summer].every((at) => !/^GMT[+-]/.test(name(at)))) ?? namers[0]!
}

const dateFields = { day: "numeric", month: "short", year: "numeric" } as const
const minuteFields = { ...dateFields, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const

const makeFormats = ({ locale, timeZone }: Place): Formats => {
  const isHouse = locale === "en"
  // English without a region could mean either order of day and month; the pages have always put the day first
  const tag = isHouse ? "en-GB" : locale
  const dates = (options: Intl.DateTimeFormatOptions, zone = timeZone) => {
    const format = new Intl.DateTimeFormat(tag, { ...options, timeZone: zone })
    // In ICU's British English one month has four letters ("Sept")
    return (at: Date) => isHouse ? format.format(at).replace("Sept", "Sep") : format.format(at)
  }
  const numbers = new Map<string, Intl.NumberFormat>()
  const numberFormat = (digits: number, style: "decimal" | "percent") => {
    const known = numbers.get(style + digits)
    if (known !== undefined) return known
    const made = new Intl.NumberFormat(tag, { style, minimumFractionDigits: digits, maximumFractionDigits: digits })
    numbers.set(style + digits, made)
    return made
  }
  const number = (value: number, digits = 0) => {
    const text = numberFormat(digits, "decimal").format(roundHalfUp(value, digits))
    return text === "-0" ? "0" : text
  }
  const zoneName = makeZoneNamer(timeZone)
  const [day, date, calendarDay] = [
    dates({ day: "numeric", month: "short" }),
    dates(dateFields),
    dates(dateFields, "UTC")
  ]
  const [minute, second] = [
    dates(minuteFields),
    dates({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" })
  ]
  const weekday = dates({ weekday: "short" })
  const zoned = (text: string, at: Date) => `${text} ${zoneName(at)}`
  const dollarFormat = (digits: number) =>
    new Intl.NumberFormat(isHouse ? "en-US" : tag, {
      style: "currency",
      currency: "USD",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits
    })
  const [cents, fine] = [dollarFormat(2), dollarFormat(4)]
  return {
    number,
    percent: (value, digits = 0) =>
      value === null || value === undefined
        ? nothing
        : isHouse
        ? `${number(value, digits)} %`
        : numberFormat(digits, "percent").format(roundHalfUp(value, digits) / 100),
    range: (range) => range === null || range === undefined ? "" : `${number(range.low)}–${number(range.high)}`,
    points: (points) => {
      const size = roundHalfUp(Math.abs(points), 1)
      return `${size === 0 ? "" : points > 0 ? "+" : "−"}${number(size, 1)}`
    },
    count: (count) => number(count),
    dollars: (amount) =>
      amount > 0 && amount < 0.00005
        ? `<${fine.format(0.0001)}`
        : (amount > 0 && amount < 0.1 ? fine : cents).format(amount),
    day,
    date,
    minute: (at) => zoned(minute(at), at),
    second: (at) => zoned(second(at), at),
    weekday: (at) => zoned(`${weekday(at)} ${minute(at)}`, at),
    calendarDay
  }
}

const made = new Map<string, Formats>()
const maxMade = 200

/** The formats of a place. Throws a RangeError for a locale or a time zone that does not exist. */
export const formatsOf = (place: Place): Formats => {
  const key = `${place.locale} ${place.timeZone}`
  const known = made.get(key)
  if (known !== undefined) return known
  const formats = makeFormats(place)
  if (made.size >= maxMade) made.clear()
  made.set(key, formats)
  return formats
}

/** Whether numbers and dates can be written for a locale (BCP 47): it is well-formed, and its data is installed. */
export const isLocale = (text: string): boolean => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length === 1
  } catch {
    return false
  }
}

/** The first language of an Accept-Language header for which formats are known; `en` without such a language. */
export const readLocale = (acceptLanguage: string | undefined): string => {
  const asked = (acceptLanguage ?? "").slice(0, 500).split(",").flatMap((one, order) => {
    const [tag, ...parameters] = one.trim().split(/\s*;\s*/)
    const quality = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1)
    return tag === undefined || !(quality > 0) ? [] : [{ tag, quality, order }]
  })
  const best = asked.toSorted((a, b) => b.quality - a.quality || a.order - b.order)
  const found = best.find(({ tag }) => tag !== "*" && tag !== "" && isLocale(tag))
  return found === undefined ? defaultPlace.locale : Intl.getCanonicalLocales(found.tag)[0]!.replace(/-u-.*$/, "")
}

/** Reads a number as people type it: "25.5", "25,5", " 25 ". NaN for anything else, including the ambiguous "1,000". */
export const parseDecimal = (text: string): number =>
  /^\s*[+-]?(?![1-9]\d{0,2},\d{3}\s*$)(?:\d+(?:[.,]\d*)?|[.,]\d+)\s*$/.test(text)
    ? Number(text.trim().replace(",", "."))
    : Number.NaN
