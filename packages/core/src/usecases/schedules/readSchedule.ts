import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { Schedule, ScheduledRun } from "../../domain/schedules/Schedule.ts"
import { heartbeatTimeoutMs } from "../../domain/workers/Worker.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { ScheduleStore } from "../../ports/ScheduleStore.ts"
import { WorkerRegistry } from "../../ports/WorkerRegistry.ts"
import { NoSchedule } from "../errors.ts"

/** A run, with its scan in its present state. */
export interface RunReport extends ScheduledRun {
  readonly scan: Scan | null
}

export interface ScheduleReport {
  readonly schedule: Schedule
  /** The last run; null if there was no run. */
  readonly lastRun: RunReport | null
  /** The last run that started a scan: `lastRun` itself, or an earlier one. */
  readonly lastStarted: RunReport | null
  /** Whether a permanent worker is running; only such a worker runs schedules. */
  readonly attended: boolean
}

/** Whether a permanent worker is running; without one, no schedule runs. */
export const hasPermanentWorker = Effect.gen(function*() {
  const workers = yield* (yield* WorkerRegistry).list(heartbeatTimeoutMs)
  return workers.some(({ stays }) => stays)
})

/** The organization's schedule with its last runs. Fails with NoSchedule if there is no schedule. */
export const readSchedule = Effect.fn("readSchedule")(function*(organizationId: OrganizationId) {
  const [schedules, scans] = yield* Effect.all([ScheduleStore, ScanStore])
  const schedule = yield* schedules.find(organizationId)
  if (schedule === null) return yield* new NoSchedule()
  const withScan = Effect.fnUntraced(function*(run: ScheduledRun | null) {
    if (run === null) return null
    const scan = run.scanId === null ? null : yield* scans.find(organizationId, run.scanId)
    const report: RunReport = { ...run, scan }
    return report
  })
  const report: ScheduleReport = {
    schedule,
    lastRun: yield* withScan(yield* schedules.lastRun(organizationId)),
    lastStarted: yield* withScan(yield* schedules.lastRun(organizationId, { started: true })),
    attended: yield* hasPermanentWorker
  }
  return report
})
