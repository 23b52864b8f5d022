/**
 * Parses times in logs to milliseconds since 1970. Null unless the text is a time in the years 1995–9999, because
 * earlier logs do not exist and a small number is not a time.
 */

const earliest = Date.UTC(1995, 0, 1)
const latest = Date.UTC(10_000, 0, 1) - 1
const months = "JanFebMarAprMayJunJulAugSepOctNovDec"
const common = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)$/
const iso = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))? ?(?:(Z|UTC)|([+-]\d\d):?(\d\d))?$/i

const keepKnownTime = (ms: number): number | null => ms >= earliest && ms <= latest ? ms : null

/** `10/Oct/2026:13:55:36 -0700` */
export const parseCommonTime = (text: string): number | null => {
  const match = common.exec(text)
  if (match === null) return null
  const [, day, month, year, hour, minute, second, sign, offsetHour, offsetMinute] = match
  const place = months.indexOf(month!)
  if (place === -1 || place % 3 !== 0) return null
  const [d, h, m, s] = [Number(day), Number(hour), Number(minute), Number(second)]
  if (h > 23 || m > 59 || s > 60) return null
  const midnight = Date.UTC(Number(year), place / 3, d)
  // `Date` would turn 31 February into a day in March
  if (d < 1 || new Date(midnight).getUTCDate() !== d) return null
  const offset = (sign === "-" ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000
  return keepKnownTime(midnight + ((h * 60 + m) * 60 + s) * 1000 - offset)
}

/** Seconds, milliseconds, microseconds or nanoseconds since 1970; the size of the number shows which. */
const parseEpochTime = (value: number): number | null => {
  if (!Number.isFinite(value)) return null
  const ms = value < 1e11 ? value * 1000 : value < 1e14 ? value : value < 1e17 ? value / 1000 : value / 1e6
  return keepKnownTime(Math.floor(ms))
}

/**
 * Parses RFC 3339 (UTC if it has no zone), the form of the common log with or without brackets, or a number since 1970.
 */
export const parseAnyTime = (value: unknown): number | null => {
  if (typeof value === "number") return parseEpochTime(value)
  if (typeof value !== "string") return null
  if (/^\d{9,19}(?:\.\d{1,9})?$/.test(value)) return parseEpochTime(Number(value))
  const match = iso.exec(value)
  if (match === null) return parseCommonTime(value.replace(/^\[(.*)\]$/, "$1"))
  const [, date, clock, fraction = "0", , hours, minutes] = match
  const time = Date.parse(
    `${date}T${clock!.length === 5 ? `${clock}:00` : clock}.${fraction.padEnd(3, "0").slice(0, 3)}${
      hours === undefined ? "Z" : `${hours}:${minutes}`
    }`
  )
  return Number.isNaN(time) || new Date(`${date}T00:00:00Z`).getUTCDate() !== Number(date!.slice(8))
    ? null
    : keepKnownTime(time)
}
