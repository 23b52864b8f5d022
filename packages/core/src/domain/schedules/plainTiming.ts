/** Schedules that need no cron expression: every day, or every week on one day, at one time. */

/** Monday first; their numbers in cron are `weekdays.indexOf(day) + 1`, except that Sunday is 0. */
export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const
export type Weekday = (typeof weekdays)[number]

/** A simple timing in the schedule's time zone. `time` is `HH:MM`. */
export type PlainTiming =
  | { readonly every: "day"; readonly time: string }
  | { readonly every: "week"; readonly weekday: Weekday; readonly time: string }

const twoDigits = (text: string): string => text.padStart(2, "0")

/** The cron expression of a plain timing; null for an invalid time. */
export const plainTimingToCron = (timing: PlainTiming): string | null => {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(timing.time) ?? []
  if (hour === undefined || minute === undefined) return null
  const day = timing.every === "day" ? "*" : (weekdays.indexOf(timing.weekday) + 1) % 7
  return `${Number(minute)} ${Number(hour)} * * ${day}`
}

/** The plain timing that equals a cron expression; null if there is no such timing. */
export const plainTimingFromCron = (cron: string): PlainTiming | null => {
  const [, minute, hour, day] = /^([0-5]?\d) ([01]?\d|2[0-3]) \* \* (\*|[0-7])$/.exec(cron) ?? []
  if (minute === undefined || hour === undefined || day === undefined) return null
  const time = `${twoDigits(hour)}:${twoDigits(minute)}`
  return day === "*" ? { every: "day", time } : { every: "week", weekday: weekdays[(Number(day) + 6) % 7]!, time }
}
