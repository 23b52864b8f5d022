/**
 * A schedule starts a scan at the times of a cron expression in a time zone. When the clocks go forward, a time that
 * does not exist runs once, shifted by the same amount (02:30 runs at 03:30); when they go back, a time that occurs
 * twice runs once, the first time.
 *
 * After a period in which no process ran the schedule, only the latest missed run is made up for, once, and only if it
 * is at most `maxCatchUpMs` old.
 */
import { Cron, Duration, Result, Schema, String } from "effect"
import { didYouMean } from "../didYouMean.ts"
import type { ScanId } from "../ids.ts"
import { PlatformId } from "../platforms/Platform.ts"

/** Maximum lengths of the texts that a form for schedules accepts, in UTF-16 code units. */
export const maxCronLength = 200
export const maxTimeZoneLength = 100

/** Five cron fields (minute, hour, day of month, month, day of week) and an IANA time zone. */
export interface Timing {
  readonly cron: string
  readonly timeZone: string
}

/** The schedule of an organization, which has at most one. */
export const Schedule = Schema.Struct({
  cron: Schema.String,
  timeZone: Schema.String,
  /** The platforms that the schedule's scans ask; null: the platforms that are configured when it runs. */
  platforms: Schema.NullOr(Schema.Array(PlatformId)),
  /** How often each keyword is asked on each platform, 1–5. */
  samples: Schema.Int,
  paused: Schema.Boolean,
  /** The next run, or a run that is due; null while the schedule is paused and when there is no further run. */
  nextAt: Schema.NullOr(Schema.Date)
})
export type Schedule = typeof Schedule.Type

/**
 * Why a run started no scan. `still_running`: the scan of an earlier run had not ended · `too_late`: no process ran it
 * within `maxCatchUpMs` · `not_ready`: a scan could not be started (no brand, keyword or platform) · `plan`: the plan
 * does not allow the organization any scan · `suspended`: the organization is suspended · `budget`: the monthly budget
 * is spent.
 */
export const SkipReason = Schema.Literals(["still_running", "too_late", "not_ready", "plan", "suspended", "budget"])
export type SkipReason = typeof SkipReason.Type

/** The outcome of a run: its scan, or the reason why it started none. Each scheduled time has at most one run. */
export interface ScheduledRun {
  readonly scheduledAt: Date
  /** The actual time of the run. */
  readonly ranAt: Date
  readonly scanId: ScanId | null
  /** Null if a scan was started. */
  readonly skipped: { readonly reason: SkipReason; readonly message: string } | null
}

/** A missed run older than this is not made up for. */
export const maxCatchUpMs = Duration.toMillis("24 hours")
/** A run that has been due for longer than this is overdue: even the successor of a killed worker would have run it. */
export const overdueMs = 60_000

/** Cron expressions of the words in crontab(5). */
export const cronAliases: { readonly [word: string]: string } = {
  hourly: "0 * * * *",
  daily: "0 0 * * *",
  midnight: "0 0 * * *",
  weekly: "0 0 * * 0",
  monthly: "0 0 1 * *",
  yearly: "0 0 1 1 *",
  annually: "0 0 1 1 *"
}

/** Why a timing is invalid, as one line for the person who typed it. */
export interface InvalidTiming {
  readonly field: "cron" | "time_zone"
  readonly message: string
}

const fields = ["minute", "hour", "day of month", "month", "day of week"]

const fault = (field: InvalidTiming["field"], message: string) => Result.fail<InvalidTiming>({ field, message })

const parseCron = (text: string): Result.Result<string, InvalidTiming> => {
  const given = text.trim().toLowerCase().replace(/^@/, "")
  const parts = (Object.hasOwn(cronAliases, given) ? cronAliases[given]! : text.trim()).split(/\s+/)
  if (parts.length !== fields.length) {
    const meant = parts.length === 1 ? didYouMean(given, Object.keys(cronAliases)) : null
    return fault(
      "cron",
      `${JSON.stringify(text)} is neither ${Object.keys(cronAliases).join(", ")} nor five fields in quotes (${
        fields.join(", ")
      })${meant === null ? "" : `; did you mean ${meant}?`}`
    )
  }
  for (const [n, part] of parts.entries()) {
    const alone = Cron.parse(parts.map((_, at) => at === n ? part : "*").join(" "))
    if (Result.isFailure(alone)) {
      return fault(
        "cron",
        `the ${fields[n]!} ${JSON.stringify(part)} of ${JSON.stringify(parts.join(" "))} is not possible: ${
          String.uncapitalize(alone.failure.message)
        }`
      )
    }
  }
  return Result.succeed(parts.join(" "))
}

/** Finds the IANA time zone that a text names. */
export const parseTimeZone = (text: string): Result.Result<string, InvalidTiming> => {
  const given = text.trim()
  // An offset does not follow daylight saving time
  if (/^[A-Za-z]/.test(given)) {
    try {
      const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: given }).resolvedOptions()
      // The runtime renames EST to America/Panama, and Europe/Kyiv to Europe/Kiev; people would not recognise these
      // names
      return Result.succeed(timeZone.toLowerCase() === given.toLowerCase() ? timeZone : given)
    } catch {
      // The runtime does not know the zone
    }
  }
  const meant = didYouMean(given, Intl.supportedValuesOf("timeZone"))
  return fault(
    "time_zone",
    `${JSON.stringify(text)} is no IANA time zone such as Europe/Berlin${
      meant === null ? "" : `; did you mean ${meant}?`
    }`
  )
}

/** The next `count` runs after an instant; fewer if there are no more. */
export const nextRuns = ({ cron, timeZone }: Timing, after: Date, count: number): ReadonlyArray<Date> => {
  const runs: Array<Date> = []
  try {
    const parsed = Cron.parseUnsafe(cron, timeZone)
    for (let last = after; runs.length < count; last = runs.at(-1)!) runs.push(Cron.next(parsed, last))
  } catch {
    // The runtime finds no further time, or no longer knows the zone
  }
  return runs
}

/**
 * Parses a timing that a person typed: a word of `cronWords` (also as `@daily`) or a cron expression, and a time zone.
 * A zone with several names keeps the given name. Fails with one line if the input is invalid, or if the expression
 * never matches (30 February).
 */
export const parseTiming = (cron: string, timeZone: string, now: Date): Result.Result<Timing, InvalidTiming> =>
  Result.all({ cron: parseCron(cron), timeZone: parseTimeZone(timeZone) }).pipe(
    Result.flatMap((timing) =>
      nextRuns(timing, now, 1).length === 1
        ? Result.succeed(timing)
        : fault("cron", `${JSON.stringify(timing.cron)} names a day that never comes`)
    )
  )

/** The schedule with its next run after `now` (null while it is paused). Missed runs are skipped. */
export const withNextRun = (schedule: Omit<Schedule, "nextAt">, now: Date): Schedule => ({
  ...schedule,
  nextAt: schedule.paused ? null : nextRuns(schedule, now, 1)[0] ?? null
})

/**
 * The run to make at `now`, and the run after it. `dueAt` is the first run that was not made. Returns the latest run
 * that is not too late; if all of them are, returns `dueAt` as too late.
 */
export const dueRun = (
  timing: Timing,
  dueAt: Date,
  now: Date
): { readonly at: Date; readonly tooLate: boolean; readonly nextAt: Date | null } => {
  const bound = new Date(now.getTime() - maxCatchUpMs)
  const next = (after: Date) => nextRuns(timing, after, 1)[0] ?? null
  let at = dueAt
  let nextAt = next(dueAt < bound ? bound : dueAt)
  while (nextAt !== null && nextAt <= now) {
    at = nextAt
    nextAt = next(at)
  }
  return { at, tooLate: at < bound, nextAt }
}

/** Whether a run has been due for longer than a running worker would take to make it. */
export const isOverdue = ({ nextAt }: Pick<Schedule, "nextAt">, now: Date): boolean =>
  nextAt !== null && now.getTime() - nextAt.getTime() > overdueMs
