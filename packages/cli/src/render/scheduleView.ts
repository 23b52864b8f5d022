/** A schedule for people: when it runs on the clocks of its zone, what became of it, who runs it. */
import { nextRuns, type Schedule, type ScheduleReport } from "@sov/core"

/** An instant on the clocks of a zone: `Mon 2026-11-23 07:00 +01:00`. */
export const zonedTime = (instant: Date, timeZone: string): string => {
  const parts = new Map(
    new Intl.DateTimeFormat("en-GB", {
      timeZone,
      weekday: "short",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZoneName: "longOffset"
    }).formatToParts(instant).map(({ type, value }) => [type, value])
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ""
  const offset = part("timeZoneName").replace("GMT", "")
  return `${part("weekday")} ${part("year")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")} ${
    offset === "" ? "UTC" : offset
  }`
}

/** The runs to come that are shown: the one that is due, or the next, and those after it. */
export const shownRuns = ({ nextAt, ...timing }: Schedule): ReadonlyArray<Date> =>
  nextAt === null ? [] : [nextAt, ...nextRuns(timing, nextAt, 2)]

type Run = NonNullable<ScheduleReport["lastRun"]>

const runText = ({ scan, scheduledAt, skipped }: Run, timeZone: string): string =>
  `${zonedTime(scheduledAt, timeZone)}: ${
    skipped !== null ? `skipped, ${skipped.message}` : `scan ${scan?.id ?? "?"} ${scan?.status ?? ""}`
  }`

/** Labelled lines; `overdue` = its run should have been made a while ago. */
export const scheduleRows = (
  { attended, lastRun, lastStarted, schedule }: ScheduleReport,
  overdue: boolean
): ReadonlyArray<readonly [label: string, text: string]> => {
  const { cron, paused, platforms, samples, timeZone } = schedule
  const runs = shownRuns(schedule).map((run) => zonedTime(run, timeZone))
  const none = paused ? "PAUSED: sov schedule resume" : "none will ever come: sov schedule set"
  return [
    [
      "schedule",
      `${cron} in ${timeZone}, ${platforms === null ? "all platforms" : platforms.join(", ")}, ${samples} sample${
        samples === 1 ? "" : "s"
      }`
    ],
    ["next runs", runs.length === 0 ? none : `${runs[0]!}${overdue ? " OVERDUE" : ""}`],
    ...runs.slice(1).map((run) => ["", run] as const),
    ["last run", lastRun === null ? "none yet" : runText(lastRun, timeZone)],
    ...lastRun?.skipped == null || lastStarted === null ? [] : [["last scan", runText(lastStarted, timeZone)] as const],
    ["run by", attended ? "a worker that is there" : "NOBODY: sov serve and sov worker run it while they are up"]
  ]
}
