import { Effect } from "effect"
import { listOrganizations } from "../organizations/listOrganizations.ts"
import { findSchedule } from "./findSchedule.ts"

/** The schedules of all organizations that have one, each with its organization. */
export const listSchedules = Effect.fn("listSchedules")(function*() {
  const found = yield* Effect.forEach(
    yield* listOrganizations(),
    (organization) =>
      Effect.map(findSchedule(organization.id), (schedule) => schedule === null ? [] : [{ organization, schedule }])
  )
  return found.flat()
})
