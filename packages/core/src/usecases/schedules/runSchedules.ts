/** Running what schedules say: one run a scheduled time, whoever tries. */
import { Data, Effect, Latch } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { dueRun, type Schedule, type SkipReason } from "../../domain/schedules/Schedule.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { ScheduleStore } from "../../ports/ScheduleStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { now } from "../now.ts"
import { monthlyLimit } from "../organizations/readQuota.ts"
import { startScan } from "../scanning/startScan.ts"
import type { Bell } from "../workers/Bell.ts"
import { anyWorkerStays } from "./readSchedule.ts"

/** Schedules are looked at this often, whatever was heard: a notification may be missed, a clock set. */
const lookEveryMs = 30_000
/** After trouble, this often. */
const tryAgainMs = 2_000
/** Schedules whose last run failed: each is warned of once. */
type Failing = Set<OrganizationId>

/** The scheduled time has a run already: what was begun for it is taken back. */
class RanAlready extends Data.TaggedError("RanAlready") {}

/** Why the schedule may start no scan now; null = it may. */
const refusal = Effect.fnUntraced(function*(organizationId: OrganizationId, tooLate: boolean) {
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

const start = Effect.fnUntraced(function*(organizationId: OrganizationId, schedule: Schedule, scheduledAt: Date) {
  const schedules = yield* ScheduleStore
  const scan = yield* startScan(organizationId, {
    scanType: "scheduled",
    usesQuota: false,
    samples: schedule.samples,
    ...schedule.platforms === null ? {} : { platforms: schedule.platforms }
  })
  const run = { scheduledAt, ranAt: scan.startedAt, scanId: scan.id, skipped: null }
  if (!(yield* schedules.record(organizationId, run))) return yield* new RanAlready()
  yield* Effect.logInfo(`scan ${scan.id} is started by the schedule, for ${scheduledAt.toISOString()}`)
})

const skip = Effect.fnUntraced(function*(
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

/** Makes the organization's due run, if it still is due: the run, its scan and the time of the next in one transaction. */
const runDue = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const schedules = yield* ScheduleStore
  const { run } = yield* Transaction
  yield* run(Effect.gen(function*() {
    const at = yield* now
    const schedule = yield* schedules.lock(organizationId)
    if (schedule === null || schedule.nextAt === null || schedule.nextAt > at) return
    const due = dueRun(schedule, schedule.nextAt, at)
    const refused = yield* refusal(organizationId, due.tooLate)
    yield* refused !== null
      ? skip(organizationId, due.at, refused)
      : run(start(organizationId, schedule, due.at)).pipe(
        Effect.catchTag("RanAlready", () => Effect.void),
        Effect.catchIf(
          (error) => error._tag !== "StoreError",
          ({ message }) => skip(organizationId, due.at, { reason: "not_ready", message })
        )
      )
    yield* schedules.save(organizationId, { ...schedule, nextAt: due.nextAt })
  }))
})

/**
 * Makes every run that is due, of all organizations, and returns after how many milliseconds to come again. However many
 * do this at once, and whatever is cut or restarted, each scheduled time has one run.
 */
export const runSchedules = Effect.fn("runSchedules")(function*(failing: Failing = new Set()) {
  const schedules = yield* ScheduleStore
  const at = yield* now
  let wait = lookEveryMs
  for (const organizationId of yield* schedules.due(at)) {
    yield* runDue(organizationId).pipe(
      Effect.andThen(Effect.sync(() => void failing.delete(organizationId))),
      Effect.catchCause((cause) => {
        wait = tryAgainMs
        const said = failing.has(organizationId)
        failing.add(organizationId)
        const line = `the schedule of organization ${organizationId} cannot be run and is tried again`
        return said ? Effect.logDebug(line, cause) : Effect.logWarning(line, cause)
      })
    )
  }
  const next = yield* schedules.nextAfter(at)
  return next === null ? wait : Math.max(0, Math.min(wait, next.getTime() - (yield* now).getTime()))
})

/**
 * Runs the schedules of every organization, for ever: woken by the next run and by news. In a process that does not
 * stay it does so only while a worker is there that does: who came for one scan must not begin others, which nobody
 * would finish.
 */
export const workSchedules = ({ news, stays }: { readonly news: Bell; readonly stays: boolean }) =>
  Effect.scoped(Effect.gen(function*() {
    const awake = Latch.makeUnsafe(true)
    yield* news.hearing(() => awake.openUnsafe())
    const failing: Failing = new Set()
    const step = Effect.gen(function*() {
      awake.closeUnsafe()
      return stays || (yield* anyWorkerStays) ? yield* runSchedules(failing) : tryAgainMs
    }).pipe(
      Effect.uninterruptible,
      Effect.catchCause((cause) => Effect.as(Effect.logDebug("schedules pause", cause), tryAgainMs))
    )
    return yield* Effect.forever(
      Effect.flatMap(step, (waitMs) => Effect.raceFirst(awake.await, Effect.sleep(waitMs)))
    )
  }))
