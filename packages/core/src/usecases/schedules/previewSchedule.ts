import { Effect, Result } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { nextRuns, parseTiming } from "../../domain/schedules/Schedule.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { ScheduleStore } from "../../ports/ScheduleStore.ts"
import { NotFound, Rejected } from "../errors.ts"
import { now } from "../now.ts"
import type { ScheduleRequest } from "./editSchedule.ts"

/**
 * Returns the requested timing and its first `count` runs from now on, without setting anything. Fails with Rejected as
 * `setSchedule` does.
 */
export const previewSchedule = Effect.fn("previewSchedule")(
  function*(organizationId: OrganizationId, { cron, timeZone }: Omit<ScheduleRequest, "samples">, count: number) {
    const organization = yield* (yield* OrganizationStore).find(organizationId)
    if (organization === null) return yield* new NotFound({ what: "organization", id: organizationId })
    const before = yield* (yield* ScheduleStore).find(organizationId)
    const at = yield* now
    const timing = parseTiming(cron, timeZone ?? before?.timeZone ?? organization.timeZone, at)
    if (Result.isFailure(timing)) return yield* new Rejected(timing.failure)
    return { timing: timing.success, runs: nextRuns(timing.success, at, count) }
  }
)
