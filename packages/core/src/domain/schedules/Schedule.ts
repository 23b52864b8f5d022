/**
 * A schedule starts a scan at the times of a cron expression, read on the clocks of a time zone. Where these clocks are
 * put forward, a time that does not exist runs once, as much later as they were put forward (02:30 as 03:30); where
 * they are put back, a time that occurs twice runs once, the first time.
 *
 * After a time in which nobody ran it, the latest run that was missed is made up for, once, if it is at most
 * `catchUpMs` old; earlier ones are not.
 */
import { Cron, Duration, Result, Schema, String } from "effect"
import { didYouMean } from "../didYouMean.ts"
import type { ScanId } from "../ids.ts"
import { PlatformId } from "../platforms/Platform.ts"

/** Longest texts that a form for schedules takes, in UTF-16 code units. */
export const maxCronLength = 200
export const maxTimeZoneLength = 100

/** When: five cron fields (minute, hour, day of month, month, day of week) and an IANA time zone. */
export interface Timing {
  readonly cron: string
  readonly timeZone: string
}

/** An organization has at most one. */
export const Schedule = Schema.Struct({
  cron: Schema.String,
  timeZone: Schema.String,
  /** The platforms that its scans ask; null = those configured when it runs. */
  platforms: Schema.NullOr(Schema.Array(PlatformId)),
  /** Times that each keyword is asked on each platform, 1–5. */
  samples: Schema.Int,
  paused: Schema.Boolean,
  /** The next run, or one that is due; null while paused, and when no further run will come. */
  nextAt: Schema.NullOr(Schema.Date)
})
export type Schedule = typeof Schedule.Type

/**
 * Why a run started no scan: `still_running` the scan of an earlier run had not ended · `too_late` no process ran it
 * within `catchUpMs` · `not_ready` a scan could not be started (no brand, keyword or platform) · `plan` the
 * organization may start no scan at all · `suspended` it is suspended · `budget` the budget of its month is spent.
 */
export const SkipReason = Schema.Literals(["still_running", "too_late", "not_ready", "plan", "suspended", "budget"])
export type SkipReason = typeof SkipReason.Type

/** What became of a run: its scan, or why it has none. At most one exists for each scheduled time. */
export interface ScheduledRun {
  readonly scheduledAt: Date
  /** When it was run. */
  readonly ranAt: Date
  readonly scanId: ScanId | null
  /** Null when a scan was started. */
  readonly skipped: { readonly reason: SkipReason; readonly message: string } | null
}

/** A missed run older than this is not made up for. */
export const maxCatchUpMs = Duration.toMillis("24 hours")
/** A run that is due for longer than this is overdue: even a killed worker's successor would have run it. */
export const overdueMs = 60_000

/** What the words stand for, as crontab(5) has them. */
export const cronAliases: { readonly [word: string]: string } = {
  hourly: "0 * * * *",
  daily: "0 0 * * *",
  midnight: "0 0 * * *",
  weekly: "0 0 * * 0",
  monthly: "0 0 1 * *",
  yearly: "0 0 1 1 *",
  annually: "0 0 1 1 *"
}

/** Why a timing cannot be: one line for the person who typed it. */
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

const parseTimeZone = (text: string): Result.Result<string, InvalidTiming> => {
  const given = text.trim()
  // An offset follows no daylight saving time
  if (/^[A-Za-z]/.test(given)) {
    try {
      const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: given }).resolvedOptions()
      // Its name for EST is America/Panama, and Europe/Kiev for Europe/Kyiv: nobody would know it again
      return Result.succeed(timeZone.toLowerCase() === given.toLowerCase() ? timeZone : given)
    } catch {
      // It knows no such zone
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

/** The `count` runs after an instant, fewer where there are no more. */
export const nextRuns = ({ cron, timeZone }: Timing, after: Date, count: number): ReadonlyArray<Date> => {
  const runs: Array<Date> = []
  try {
    const parsed = Cron.parseUnsafe(cron, timeZone)
    for (let last = after; runs.length < count; last = runs.at(-1)!) runs.push(Cron.next(parsed, last))
  } catch {
    // It knows no time, or no such zone any more
  }
  return runs
}

/**
 * A timing from what a person typed: a word of `cronWords` (also `@daily`) or a cron expression, and a time zone, which
 * keeps its name where it has several. Fails with what is wrong, and where no run would ever come (30 February).
 */
export const parseTiming = (cron: string, timeZone: string, now: Date): Result.Result<Timing, InvalidTiming> =>
  Result.all({ cron: parseCron(cron), timeZone: parseTimeZone(timeZone) }).pipe(
    Result.flatMap((timing) =>
      nextRuns(timing, now, 1).length === 1
        ? Result.succeed(timing)
        : fault("cron", `${JSON.stringify(timing.cron)} names a day that never comes`)
    )
  )

/** The schedule with its run to come after `now`; none while it is paused. What was missed is not made up for. */
export const withNextRun = (schedule: Omit<Schedule, "nextAt">, now: Date): Schedule => ({
  ...schedule,
  nextAt: schedule.paused ? null : nextRuns(schedule, now, 1)[0] ?? null
})

/**
 * Which run is to be made at `now`, `dueAt` being the first that was not: the latest one that is not too late, or
 * `dueAt`, too late; and the one to come after it.
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

/** Whether a run has been overdue for longer than any running worker would leave it. */
export const isOverdue = ({ nextAt }: Pick<Schedule, "nextAt">, now: Date): boolean =>
  nextAt !== null && now.getTime() - nextAt.getTime() > overdueMs
