import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { ScheduleStore } from "../../ports/ScheduleStore.ts"
import { listOrganizations } from "../organizations/reads.ts"

/** The organization's schedule; null if there is no schedule. */
export const findSchedule = Effect.fn("findSchedule")(function*(organizationId: OrganizationId) {
  return yield* (yield* ScheduleStore).find(organizationId)
})

/** The schedules of all organizations that have one, each with its organization. */
export const listSchedules = Effect.fn("listSchedules")(function*() {
  const found = yield* Effect.forEach(
    yield* listOrganizations(),
    (organization) =>
      Effect.map(findSchedule(organization.id), (schedule) => schedule === null ? [] : [{ organization, schedule }])
  )
  return found.flat()
})
