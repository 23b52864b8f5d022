/** Checks of workers, running scans, measurements and schedules. */
import { pluralized, type ScanId } from "@sov/core/common"
import { readMeasurementFailures } from "@sov/core/measuring"
import {
  type Backlog,
  describeScanHold,
  findScanHold,
  readRunningScans,
  type Scan,
  type ScanHold
} from "@sov/core/scanning"
import { isOverdue, listSchedules, type Schedule } from "@sov/core/schedules"
import { listWorkers, type RegisteredWorker } from "@sov/core/workers"
import { Effect } from "effect"
import { CliError } from "../../../CliError.ts"
import { digestBindings } from "../../../runtime.ts"
import { fail, type Finding, makeStoreCheck, ok, warn } from "./Check.ts"

const nameWorker = ({ host, pid }: RegisteredWorker): string => `process ${pid} on ${host}`

/**
 * Checks that all active workers have the same platform configuration as each other and as this machine (null if it has
 * none).
 */
export const diagnoseWorkers = (workers: ReadonlyArray<RegisteredWorker>, digestHere: string | null): Finding => {
  const [first] = workers
  if (first === undefined) return ok("no active workers")
  const other = workers.find(({ digest }) => digest !== first.digest)
  if (other !== undefined) {
    return fail(
      `${nameWorker(first)} and ${nameWorker(other)} have different platform bindings`,
      "stop one of them, and start it again with the sov.config.json of the other"
    )
  }
  if (digestHere !== null && digestHere !== first.digest) {
    return warn(
      `${nameWorker(first)} has other platform bindings than are configured here: a worker would be refused`,
      `stop it, or use its sov.config.json here`
    )
  }
  return ok(workers.map(nameWorker).join("; "))
}

export const workers = makeStoreCheck("workers", ({ config }) =>
  Effect.gen(function*() {
    const digest = config === null || config.decoded instanceof CliError
      ? null
      : digestBindings(config.decoded)
    return diagnoseWorkers(yield* listWorkers(), digest)
  }))

/** A running scan and its unfinished cells. */
export interface RunningScan {
  readonly scan: Pick<Scan, "id" | "startedAt">
  readonly backlog: Backlog
}

const nextSteps: { readonly [reason in ScanHold["reason"]]: (scan: ScanId) => string } = {
  "no-worker": (scan) => `sov scan resume ${scan}`,
  unasked: (scan) => `configure it where a worker runs, or end the scan: sov scan cancel ${scan}`,
  stalled: (scan) => `stop its worker (sov status names it), then sov scan resume ${scan}`
}

/** Checks that every running scan has workers for its platforms and makes progress. */
export const diagnoseScans = (
  running: ReadonlyArray<RunningScan>,
  workers: ReadonlyArray<Pick<RegisteredWorker, "platforms">>,
  now: Date
): Finding => {
  for (const one of running) {
    const hold = findScanHold(one, workers, now)
    if (hold !== null) {
      return warn(`scan ${one.scan.id} waits: ${describeScanHold(hold)}`, nextSteps[hold.reason](one.scan.id))
    }
  }
  return ok(
    running.length === 0 ? "none is running" : `${running.length} running, all make progress or wait for a retry`
  )
}

export const scans = makeStoreCheck("scans", ({ now }) =>
  Effect.gen(function*() {
    return diagnoseScans(yield* readRunningScans(), yield* listWorkers(), now)
  }))

/** Checks that no measurement of an answer has failed. */
export const diagnoseMeasurements = (
  failures: ReadonlyArray<{ readonly organization: string; readonly answers: number }>
): Finding => {
  const [first] = failures
  if (first === undefined) return ok("none has failed")
  const each = failures.map(({ answers, organization }) => `${pluralized(answers, "answer")} of ${organization}`)
  return warn(`${each.join(", ")} could not be measured`, `sov rescore --org ${first.organization}`)
}

export const measurements = makeStoreCheck(
  "measurements",
  () => Effect.map(readMeasurementFailures(), diagnoseMeasurements)
)

/** A schedule and the short name of its organization. */
export interface NamedSchedule {
  readonly organization: string
  readonly schedule: Pick<Schedule, "paused" | "nextAt">
}

/** Checks that a worker runs the schedules on time. */
export const diagnoseSchedules = (
  schedules: ReadonlyArray<NamedSchedule>,
  workers: ReadonlyArray<Pick<RegisteredWorker, "stays">>,
  now: Date
): Finding => {
  const active = schedules.filter(({ schedule }) => !schedule.paused)
  const paused = schedules.filter(({ schedule }) => schedule.paused).map(({ organization }) => organization)
  const never = active.find(({ schedule }) => schedule.nextAt === null)
  if (never !== undefined) {
    return warn(
      `the schedule of ${never.organization} will never run again`,
      `sov schedule set WHEN --org ${never.organization}`
    )
  }
  const overdue = active.find(({ schedule }) => isOverdue(schedule, now))
  const since = overdue === undefined ?
    "" :
    `: a run of ${overdue.organization} is overdue since ${overdue.schedule.nextAt!.toISOString()}`
  if (active.length > 0 && !workers.some(({ stays }) => stays)) {
    return warn(`no active worker runs the schedules${since}`, "start sov serve or sov worker")
  }
  if (overdue !== undefined) {
    return warn(`schedules do not run${since}`, "restart the worker (sov status names it) with -v: its log says why")
  }
  if (schedules.length === 0) return ok("none is set")
  return ok(`${active.length} active${paused.length === 0 ? "" : `; paused: ${paused.join(", ")}`}`)
}

export const schedules = makeStoreCheck("schedules", ({ now }) =>
  Effect.gen(function*() {
    const found = (yield* listSchedules()).map(({ organization, schedule }) => ({
      organization: organization.slug,
      schedule
    }))
    return diagnoseSchedules(found, yield* listWorkers(), now)
  }))
