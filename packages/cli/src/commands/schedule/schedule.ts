/** sov schedule: scans that start automatically. */
import type { OrganizationId } from "@sov/core/common"
import { PlatformId } from "@sov/core/platforms"
import { maxSamples } from "@sov/core/scanning"
import {
  isOverdue,
  pauseSchedule,
  readSchedule,
  removeSchedule,
  resumeSchedule,
  scheduledRunJson,
  scheduleJson,
  type ScheduleReport,
  setSchedule
} from "@sov/core/schedules"
import { Clock, Effect } from "effect"
import { CliError } from "../../CliError.ts"
import { confirm } from "../../input/confirm.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { integerOption } from "../../input/integerOption.ts"
import { type Output, printable } from "../../output/Output.ts"
import { scheduleRows, shownRuns } from "../../render/scheduleView.ts"
import { renderLabelled } from "../../render/wrapped.ts"
import { findConfig, runCommand, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

interface SetOptions extends GlobalOptions {
  readonly timeZone?: string
  readonly platform?: ReadonlyArray<string>
  readonly samples?: string
}

const runJson = (run: ScheduleReport["lastRun"]) =>
  run === null ? null : { ...scheduledRunJson(run), scan_status: run.scan?.status ?? null }

const printSchedule = Effect.fnUntraced(function*(out: Output, organizationId: OrganizationId) {
  const report = yield* readSchedule(organizationId)
  const { attended, lastRun, lastStarted, schedule } = report
  const overdue = isOverdue(schedule, new Date(yield* Clock.currentTimeMillis))
  const width = out.tty.out ? process.stdout.columns || undefined : undefined
  out.result(
    {
      ...scheduleJson(schedule),
      next_runs: shownRuns(schedule).map((run) => run.toISOString()),
      overdue,
      attended,
      last_run: runJson(lastRun),
      last_started_run: runJson(lastStarted)
    },
    () =>
      renderLabelled(
        scheduleRows(report, overdue).map(([label, text]) => [label, printable(text)]),
        width,
        (label) => out.style("bold", label)
      ).join("\n")
  )
})

/** The number of samples from the option, or else from the configuration, if there is one. */
const findSamples = Effect.fnUntraced(function*(options: SetOptions) {
  if (options.samples !== undefined) return yield* integerOption("--samples", options.samples, 1, maxSamples)
  const decoded = findConfig(options)?.decoded
  if (decoded instanceof CliError) return yield* Effect.fail(decoded)
  return decoded?.scan.samples ?? 1
})

/**
 * Prints a note about platforms that are not configured here. The schedule is saved anyway, because another machine may
 * have them.
 */
const noteUnknownPlatforms = (out: Output, options: SetOptions): void => {
  const decoded = findConfig(options)?.decoded
  if (decoded === undefined || decoded instanceof CliError) return
  const missing = (options.platform ?? []).filter((id) => !Object.hasOwn(decoded.platforms, id))
  if (missing.length === 0) return
  out.note(`Not in ${options.config}: ${missing.join(", ")}. Where no worker has it either, no scan starts.`)
}

/** Runs `sov schedule set`. */
export const set = (options: SetOptions, when: ReadonlyArray<string>) =>
  runCommand(options, { before: findSamples(options), repeatable: true }, function*({ out }) {
    const samples = yield* findSamples(options)
    const platforms = options.platform === undefined ? undefined : yield* Effect.forEach(
      [...new Set(options.platform)],
      (id) => decodeInput(PlatformId, id as PlatformId, "--platform")
    )
    const { id } = yield* currentOrganization(options)
    yield* setSchedule(id, {
      cron: when.join(" "),
      samples,
      ...options.timeZone === undefined ? {} : { timeZone: options.timeZone },
      ...platforms === undefined ? {} : { platforms }
    })
    noteUnknownPlatforms(out, options)
    yield* printSchedule(out, id)
  })

/** Runs `sov schedule show`. */
export const show = (options: GlobalOptions) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    yield* printSchedule(out, (yield* currentOrganization(options)).id)
  })

const makeScheduleAction = (edit: typeof pauseSchedule) => (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, { id }) {
    yield* edit(id)
    yield* printSchedule(out, id)
  })

/** Runs `sov schedule pause`. */
export const pause = makeScheduleAction(pauseSchedule)

/** Runs `sov schedule resume`. */
export const resume = makeScheduleAction(resumeSchedule)

/** Runs `sov schedule remove`. */
export const remove = (options: GlobalOptions) =>
  runForOrganization(options, {}, function*({ out }, { id }) {
    const { schedule } = yield* readSchedule(id)
    yield* confirm(out, `Remove the schedule (${schedule.cron} in ${schedule.timeZone})? Its scans stay.`)
    yield* removeSchedule(id)
    out.result({ removed: true }, () => "The schedule is removed.")
  })
