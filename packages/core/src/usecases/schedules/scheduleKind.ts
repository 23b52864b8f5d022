/** Runs schedules: one run for each scheduled time, however many processes try. */
import { Data, Effect } from "effect"
import { scheduler } from "../../domain/audit/Actor.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { dueRun, type Schedule, type SkipReason } from "../../domain/schedules/Schedule.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { type DueOrganization, ScheduleStore } from "../../ports/ScheduleStore.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { Actor } from "../audit/Actor.ts"
import { now } from "../now.ts"
import { monthlyLimit } from "../organizations/reads.ts"
import { startScans } from "../scanning/startScan.ts"
import { makeErrandKind, runErrands } from "../workers/makeErrandKind.ts"
import { hasPermanentWorker } from "./readSchedule.ts"

/** The scheduled time already has a run, so the transaction that began another run is rolled back. */
class RanAlready extends Data.TaggedError("RanAlready") {}

/** Why the schedule may not start a scan now; null if it may. */
const findSkipReason = Effect.fnUntraced(function*(organizationId: OrganizationId, tooLate: boolean) {
  if (tooLate) return { reason: "too_late" as const, message: "no worker was there to run it in time" }
  const organization = yield* (yield* OrganizationStore).find(organizationId)
  if (organization === null || monthlyLimit(organization) === 0) {
    return { reason: "plan" as const, message: "the organization's plan and limit allow no scan" }
  }
  const last = yield* (yield* ScheduleStore).lastRun(organizationId, { started: true })
  const scan = last === null ? null : yield* (yield* ScanStore).find(organizationId, last.scanId!)
  return scan?.status === "running"
    ? { reason: "still_running" as const, message: `scan ${scan.id} of an earlier run has not ended` }
    : null
})

const skipReasons: { readonly [tag: string]: SkipReason } = {
  OrganizationSuspended: "suspended",
  BudgetSpent: "budget"
}

const startScheduledScan = Effect.fnUntraced(
  function*(organizationId: OrganizationId, schedule: Schedule, scheduledAt: Date) {
    const schedules = yield* ScheduleStore
    const [scan] = yield* startScans(organizationId, {
      scanType: "scheduled",
      usesQuota: false,
      samples: schedule.samples,
      ...schedule.platforms === null ? {} : { platforms: schedule.platforms }
    }).pipe(Effect.provideService(Actor, scheduler))
    const run = { scheduledAt, ranAt: scan.startedAt, scanId: scan.id, skipped: null }
    if (!(yield* schedules.record(organizationId, run))) return yield* new RanAlready()
    yield* Effect.logInfo(`scan ${scan.id} is started by the schedule, for ${scheduledAt.toISOString()}`)
  }
)

const skipRun = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  scheduledAt: Date,
  skipped: { readonly reason: SkipReason; readonly message: string }
) {
  const run = { scheduledAt, ranAt: yield* now, scanId: null, skipped }
  if (!(yield* (yield* ScheduleStore).record(organizationId, run))) return
  yield* Effect.logWarning(
    `the schedule of organization ${organizationId} skips ${scheduledAt.toISOString()}: ${skipped.message}`
  )
})

/**
 * Makes the organization's due run, if it is still due: stores the run, its scan and the time of the next run in one
 * transaction.
 */
const runDueSchedule = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const schedules = yield* ScheduleStore
  const { run } = yield* Transaction
  yield* run(Effect.gen(function*() {
    const at = yield* now
    const schedule = yield* schedules.lock(organizationId)
    if (schedule === null || schedule.nextAt === null || schedule.nextAt > at) return
    const due = dueRun(schedule, schedule.nextAt, at)
    const refused = yield* findSkipReason(organizationId, due.tooLate)
    yield* refused !== null
      ? skipRun(organizationId, due.at, refused)
      : run(startScheduledScan(organizationId, schedule, due.at)).pipe(
        Effect.catchTag("RanAlready", () => Effect.void),
        Effect.catchIf(
          (error) => error._tag !== "StoreError",
          ({ _tag, message }) => skipRun(organizationId, due.at, { reason: skipReasons[_tag] ?? "not_ready", message })
        )
      )
    yield* schedules.save(organizationId, { ...schedule, nextAt: due.nextAt })
  }))
})

/**
 * How far ahead due schedules and digests are searched, in milliseconds. It is longer than the engine's polling
 * interval.
 */
const aheadMs = 10_000

/**
 * The schedules that are due soon, for a worker of this process. A worker for a single scan runs schedules only while a
 * permanent worker is running; otherwise the scans that it starts would not be finished.
 */
export const lookAhead = Effect.fnUntraced(function*(
  stays: boolean,
  listDue: (until: Date) => Effect.Effect<ReadonlyArray<DueOrganization>, StoreError>
) {
  if (!stays && !(yield* hasPermanentWorker)) return []
  const found = yield* listDue(new Date((yield* now).getTime() + aheadMs))
  return found.map((due) => ({ ...due, id: due.organizationId }))
})

/**
 * The kind of work that runs schedules. However many processes run it, and wherever a process is killed, each scheduled
 * time has one run.
 */
export const makeScheduleKind = (stays: boolean) =>
  makeErrandKind({
    name: "the schedule",
    of: "schedules",
    look: ScheduleStore.use(({ listDue }) => lookAhead(stays, listDue)),
    run: ({ organizationId }) => Effect.as(runDueSchedule(organizationId), null)
  })

/** Makes every run that is due now, of all organizations. */
export const runSchedules = Effect.fn("runSchedules")(() => runErrands(makeScheduleKind(true)))
