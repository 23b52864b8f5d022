import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { ScheduleStore } from "../../ports/ScheduleStore.ts"
import { listOrganizations } from "../organizations/reads.ts"

/** The organization's schedule; null if there is no schedule. */
export const findSchedule = Effect.fn("findSchedule")(function*(organizationId: OrganizationId) {
  return yield* (yield* ScheduleStore).find(organizationId)
})

/** When each of these organizations has its next run; one without a schedule, or with a paused one, is left out. */
export const readNextRuns = Effect.fn("readNextRuns")(function*(organizationIds: ReadonlyArray<OrganizationId>) {
  return yield* (yield* ScheduleStore).nextOf(organizationIds)
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
