/**
 * Writes numbers, dates and times for the reader. On a page that is the person who asked for it; a report names its
 * own locale and time zone.
 */
import { type Formats, formatsOf, housePlace, type Place } from "@sov/core/common"
import { Context, Fiber } from "effect"

export { nothing, type Range } from "@sov/core/common"

/** The place of the person whose request the current fiber answers. */
export const CurrentPlace = Context.Reference<Place>("@sov/http/dashboard/CurrentPlace", {
  defaultValue: () => housePlace
})

let fixed: Place | null = null

/** Runs `write` with the formats of a fixed place, such as that of a report, which looks the same for every reader. */
export const writeIn = <A>(place: Place, write: () => A): A => {
  const before = fixed
  fixed = place
  try {
    return write()
  } finally {
    fixed = before
  }
}

/** The place of the reader. Reading it outside a request gives the place of the documentation. */
const currentPlace = (): Place => fixed ?? Fiber.getCurrent()?.getRef(CurrentPlace) ?? housePlace

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
/** In another time zone than that of the reader: that of a schedule. */
export const formatWeekday = (at: Date, timeZone: string): string =>
  formatsOf({ ...currentPlace(), timeZone }).weekday(at)
export const formatCalendarDay: Formats["calendarDay"] = (day) => current().calendarDay(day)

/** A coordinate of a drawing: the same for every reader. */
export const coordinate = (value: number, digits = 0): string => value.toFixed(digits)
