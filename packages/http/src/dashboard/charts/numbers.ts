/**
 * Formats numbers, dates and times. Pages use the locale and time zone of the signed-in person; a report has its own.
 */
import { defaultPlace, type Formats, formatsOf, type Place } from "@sov/core/common"
import { Context, Fiber } from "effect"

export { nothing, type Range } from "@sov/core/common"

/** Locale and time zone of the person whose request the current fiber answers. */
export const CurrentPlace = Context.Reference<Place>("@sov/http/dashboard/CurrentPlace", {
  defaultValue: () => defaultPlace
})

let fixed: Place | null = null

/**
 * Runs `write` with a fixed locale and time zone, for example those of a report, which looks the same for every reader.
 */
export const withPlace = <A>(place: Place, write: () => A): A => {
  const before = fixed
  fixed = place
  try {
    return write()
  } finally {
    fixed = before
  }
}

/** The reader's locale and time zone; outside a request, those of the documentation. */
const currentPlace = (): Place => fixed ?? Fiber.getCurrent()?.getRef(CurrentPlace) ?? defaultPlace

const current = (): Formats => formatsOf(currentPlace())

export const formatNumber: Formats["number"] = (value, digits) => current().number(value, digits)
export const formatPercent: Formats["percent"] = (value, digits) => current().percent(value, digits)
export const formatRange: Formats["range"] = (range) => current().range(range)
export const formatPoints: Formats["points"] = (points) => current().points(points)
export const formatCount: Formats["count"] = (count) => current().count(count)
export const formatDollars: Formats["dollars"] = (amount) => current().dollars(amount)
export const formatDay: Formats["day"] = (at) => current().day(at)
export const formatDate: Formats["date"] = (at) => current().date(at)
export const formatMinute: Formats["minute"] = (at) => current().minute(at)
export const formatSecond: Formats["second"] = (at) => current().second(at)
/** Formats the weekday in the given time zone, such as that of a schedule. */
export const formatWeekday = (at: Date, timeZone: string): string =>
  formatsOf({ ...currentPlace(), timeZone }).weekday(at)
export const formatCalendarDay: Formats["calendarDay"] = (day) => current().calendarDay(day)

/** A coordinate in a drawing, formatted the same way in every locale. */
export const formatCoordinate = (value: number, digits = 0): string => value.toFixed(digits)
