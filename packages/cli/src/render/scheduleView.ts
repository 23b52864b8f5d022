/** A schedule for people: its runs in the time of its zone, its last run, and who runs it. */
import { formatZonedTime, nextRuns, type Schedule, type ScheduleReport } from "@sov/core/schedules"

/** The upcoming runs that are shown: the run that is due or next, and the two runs after it. */
export const shownRuns = ({ nextAt, ...timing }: Schedule): ReadonlyArray<Date> =>
  nextAt === null ? [] : [nextAt, ...nextRuns(timing, nextAt, 2)]

type Run = NonNullable<ScheduleReport["lastRun"]>

const runText = ({ scan, scheduledAt, skipped }: Run, timeZone: string): string =>
  `${formatZonedTime(scheduledAt, timeZone)}: ${
    skipped !== null ? `skipped, ${skipped.message}` : `scan ${scan?.id ?? "?"} ${scan?.status ?? ""}`
  }`

/** The schedule as labelled lines. `overdue`: its run should have started a while ago. */
export const scheduleRows = (
  { attended, lastRun, lastStarted, schedule }: ScheduleReport,
  overdue: boolean
): ReadonlyArray<readonly [label: string, text: string]> => {
  const { cron, paused, platforms, samples, timeZone } = schedule
  const runs = shownRuns(schedule).map((run) => formatZonedTime(run, timeZone))
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
