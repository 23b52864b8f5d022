/** Dates that people and programs enter as the bounds of a time range. */

const form =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[Tt](?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d+))?(?:[Zz]|(?<sign>[+-])(?<offsetHour>\d\d):(?<offsetMinute>\d\d)))?$/

const daysIn = (year: number, month: number): number => new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()

const earliest = Date.parse("0001-01-01T00:00:00Z")
const latest = Date.parse("9999-12-31T23:59:59.999Z")

/**
 * Reads a calendar day (`2026-03-01`, UTC) or an RFC 3339 time (`2026-03-01T08:00:00+02:00`) as an inclusive bound in
 * milliseconds. As `to`, a day ends with its last millisecond. A fraction finer than a millisecond is rounded into the
 * range. Null for other text, and for a day or time that does not exist (30 February, 24:00, a leap second).
 */
export const dateBound = (text: string, bound: "from" | "to"): Date | null => {
  const groups = form.exec(text)?.groups
  if (groups === undefined) return null
  const part = (name: string): number => Number(groups[name] ?? 0)
  const [year, month, day] = [part("year"), part("month"), part("day")]
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null
  if (part("hour") > 23 || part("minute") > 59 || part("second") > 59) return null
  if (part("offsetHour") > 23 || part("offsetMinute") > 59) return null

  const midnight = Date.parse(`${groups["year"]}-${groups["month"]}-${groups["day"]}T00:00:00Z`)
  const wholeDay = groups["hour"] === undefined && bound === "to"
  const clock = wholeDay ? 86_399_999 : ((part("hour") * 60 + part("minute")) * 60 + part("second")) * 1000
  const fraction = groups["fraction"] ?? ""
  const millis = Number(fraction.slice(0, 3).padEnd(3, "0"))
  const finer = bound === "from" && /[1-9]/.test(fraction.slice(3)) ? 1 : 0
  const offset = (groups["sign"] === "-" ? -1 : 1) * (part("offsetHour") * 60 + part("offsetMinute")) * 60_000
  const time = midnight + clock + millis + finer - offset
  return time >= earliest && time <= latest ? new Date(time) : null
}
