/** Sets, pauses, resumes and removes an organization's schedule, and notifies workers. */
import { Effect, Result } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import { parseTiming, type Schedule, withNextRun } from "../../domain/schedules/Schedule.ts"
import { formatNewWork } from "../../domain/workers/NewWork.ts"
import { Notifications, workChannel } from "../../ports/Notifications.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { ScheduleStore } from "../../ports/ScheduleStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { recordActs, runActs } from "../audit/recordActs.ts"
import { NoSchedule, NotFound, Rejected } from "../errors.ts"
import { now } from "../now.ts"

/** A schedule as a client sets it. */
export interface ScheduleRequest {
  /** A cron expression with five fields, or a word of `cronWords`. */
  readonly cron: string
  /** IANA name; defaults to the time zone of the previous schedule, or else of the organization. */
  readonly timeZone?: string
  /** The platforms to ask; by default the platforms that are configured when the schedule runs. */
  readonly platforms?: ReadonlyArray<PlatformId>
  /** How often each keyword is asked on each platform, 1–5. */
  readonly samples: number
}

const saveSchedule = Effect.fnUntraced(function*(organizationId: OrganizationId, schedule: Schedule) {
  yield* (yield* ScheduleStore).save(organizationId, schedule)
  yield* (yield* Notifications).send(workChannel, formatNewWork({ of: "schedules" }))
  return schedule
})

const toDetail = ({ cron, platforms, samples, timeZone }: Omit<Schedule, "nextAt">) => ({
  cron,
  time_zone: timeZone,
  platforms,
  samples
})
const toPausedDetail = (schedule: Schedule) => ({ ...toDetail(schedule), paused: schedule.paused })

/**
 * Replaces the schedule and returns it. It is not paused, and its first run is the next one from now. Fails with
 * Rejected, which names the field, for an invalid cron expression or time zone.
 */
export const setSchedule = Effect.fn("setSchedule")(
  function*(organizationId: OrganizationId, { cron, platforms, samples, timeZone }: ScheduleRequest) {
    const organization = yield* (yield* OrganizationStore).find(organizationId)
    if (organization === null) return yield* new NotFound({ what: "organization", id: organizationId })
    const { run } = yield* Transaction
    return yield* run(Effect.gen(function*() {
      const before = yield* (yield* ScheduleStore).lock(organizationId)
      const at = yield* now
      const timing = parseTiming(cron, timeZone ?? before?.timeZone ?? organization.timeZone, at)
      if (Result.isFailure(timing)) return yield* new Rejected(timing.failure)
      const schedule = { ...timing.success, platforms: platforms ?? null, samples, paused: false }
      const detail = { ...toDetail(schedule), before: before === null ? null : toPausedDetail(before) }
      yield* recordActs(organizationId, [{ action: "schedule.set", subjectId: organizationId, detail }])
      return yield* saveSchedule(organizationId, withNextRun(schedule, at))
    }))
  }
)

const setPaused = (paused: boolean) =>
  Effect.fnUntraced(function*(organizationId: OrganizationId) {
    const { run } = yield* Transaction
    return yield* run(Effect.gen(function*() {
      const schedule = yield* (yield* ScheduleStore).lock(organizationId)
      if (schedule === null) return yield* new NoSchedule()
      if (schedule.paused === paused) return schedule
      yield* recordActs(organizationId, [
        { action: paused ? "schedule.paused" : "schedule.resumed", subjectId: organizationId, detail: {} }
      ])
      return yield* saveSchedule(organizationId, withNextRun({ ...schedule, paused }, yield* now))
    }))
  })

/** Pauses the schedule: nothing runs until it is resumed. Fails with NoSchedule if there is no schedule. */
export const pauseSchedule = setPaused(true)

/** Resumes a paused schedule; runs missed during the pause are skipped. Fails with NoSchedule. */
export const resumeSchedule = setPaused(false)

/** Removes the schedule; its runs are kept. Fails with NoSchedule. */
export const removeSchedule = Effect.fn("removeSchedule")(function*(organizationId: OrganizationId) {
  const store = yield* ScheduleStore
  const remove = Effect.gen(function*() {
    const before = yield* store.lock(organizationId)
    if (before === null) return yield* new NoSchedule()
    yield* store.remove(organizationId)
    return toPausedDetail(before)
  })
  yield* runActs(organizationId, remove, (before) => [
    { action: "schedule.removed", subjectId: organizationId, detail: { before } }
  ])
})
