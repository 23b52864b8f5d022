/** Schedules and their runs as clients see them. */
import type { Schedule, ScheduledRun } from "../domain/schedules/Schedule.ts"

/**
 * A schedule. `platforms` null: the platforms that are configured when it runs; `next_run_at` null: it is paused, or
 * has no further run.
 */
export const scheduleJson = ({ cron, nextAt, paused, platforms, samples, timeZone }: Schedule) => ({
  cron,
  time_zone: timeZone,
  platforms,
  samples,
  paused,
  next_run_at: nextAt?.toISOString() ?? null
})

/** A run. If it was skipped, `reason` and `message` say why it started no scan. */
export const scheduledRunJson = ({ ranAt, scanId, scheduledAt, skipped }: ScheduledRun) => ({
  scheduled_at: scheduledAt.toISOString(),
  ran_at: ranAt.toISOString(),
  outcome: skipped === null ? "started" : "skipped",
  scan_id: scanId,
  reason: skipped?.reason ?? null,
  message: skipped?.message ?? null
})
