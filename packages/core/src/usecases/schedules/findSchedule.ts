import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { ScheduleStore } from "../../ports/ScheduleStore.ts"

/** The organization's schedule; null when none is set. */
export const findSchedule = Effect.fn("findSchedule")(function*(organizationId: OrganizationId) {
  return yield* (yield* ScheduleStore).find(organizationId)
})
