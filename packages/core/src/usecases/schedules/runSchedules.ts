/** Runs what schedules say: one run for each scheduled time, however many processes try. */
import { Data, Effect } from "effect"
import { scheduler } from "../../domain/audit/Actor.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { dueRun, type Schedule, type SkipReason } from "../../domain/schedules/Schedule.ts"
import { concerns, type NewWork } from "../../domain/workers/NewWork.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { ScheduleStore } from "../../ports/ScheduleStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { Actor } from "../audit/Actor.ts"
import { type FailingDigests, runDigests } from "../mail/runDigests.ts"
import { now } from "../now.ts"
import { monthlyLimit } from "../organizations/reads.ts"
import { startScan } from "../scanning/startScan.ts"
import { makePollLoop } from "../workers/pollLoop.ts"
import type { WakeSignal } from "../workers/WakeSignal.ts"
import { hasPermanentWorker } from "./readSchedule.ts"

/** Schedules are read at least this often: a notification may be lost, a clock set. */
const maxWaitMs = 30_000
/** The wait after a failure, and while no worker runs schedules. */
const retryMs = 2_000
/** Organizations whose schedule failed to run last time: a warning is logged once for each. */
type FailingOrganizations = Set<OrganizationId>

/** The scheduled time has a run already: the transaction that began another is rolled back. */
class RanAlready extends Data.TaggedError("RanAlready") {}

/** Why the schedule may start no scan now; null = it may. */
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

const startScheduledScan = Effect.fnUntraced(
  function*(organizationId: OrganizationId, schedule: Schedule, scheduledAt: Date) {
    const schedules = yield* ScheduleStore
    const scan = yield* startScan(organizationId, {
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
 * Makes the organization's due run, if it still is due: the run, its scan and the time of the next in one transaction.
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
          ({ message }) => skipRun(organizationId, due.at, { reason: "not_ready", message })
        )
      )
    yield* schedules.save(organizationId, { ...schedule, nextAt: due.nextAt })
  }))
})

/**
 * Makes every run that is due, of all organizations, and returns after how many milliseconds to call it again. However
 * many processes do this at the same time, and wherever one is killed, each scheduled time has one run.
 */
export const runSchedules = Effect.fn("runSchedules")(function*(failing: FailingOrganizations = new Set()) {
  const schedules = yield* ScheduleStore
  const at = yield* now
  let wait = maxWaitMs
  for (const organizationId of yield* schedules.listDue(at)) {
    yield* runDueSchedule(organizationId).pipe(
      Effect.andThen(Effect.sync(() => void failing.delete(organizationId))),
      Effect.catchCause((cause) => {
        wait = retryMs
        const warned = failing.has(organizationId)
        failing.add(organizationId)
        const line = `the schedule of organization ${organizationId} cannot be run and is tried again`
        return warned ? Effect.logDebug(line, cause) : Effect.logWarning(line, cause)
      })
    )
  }
  const next = yield* schedules.findNextAfter(at)
  return next === null ? wait : Math.max(0, Math.min(wait, next.getTime() - (yield* now).getTime()))
})

/**
 * Runs the schedules and queues the digests of every organization until interrupted, whenever one is due or `newWork`
 * notifies. A worker that does not stay does so only while one that stays is there: it came for one scan, and must not
 * begin others that nobody would finish.
 */
export const runScheduleWorker = (
  { newWork, stays }: { readonly newWork: WakeSignal<NewWork>; readonly stays: boolean }
) =>
  Effect.scoped(Effect.gen(function*() {
    const loop = makePollLoop()
    yield* newWork.subscribe((work) => concerns(work, "schedules") && loop.wake())
    const failing: FailingOrganizations = new Set()
    const failingDigests: FailingDigests = new Map()
    return yield* loop.run({
      onFailure: "schedules pause",
      poll: Effect.fnUntraced(function*() {
        if (!stays && !(yield* hasPermanentWorker)) return retryMs
        const wait = yield* runSchedules(failing)
        const nextDigest = yield* runDigests(failingDigests)
        return nextDigest === null ? wait : Math.max(0, Math.min(wait, nextDigest.getTime() - (yield* now).getTime()))
      }, Effect.uninterruptible)
    })
  }))
