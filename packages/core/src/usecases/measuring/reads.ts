import { Effect } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"

/** Why an answer could not be measured with its newest names and rules; null if it was measured, or not tried. */
export const readMeasurementFailure = Effect.fn("readMeasurementFailure")(
  function*(organizationId: OrganizationId, id: AnswerId) {
    return yield* (yield* MeasurementStore).findFailure(organizationId, id)
  }
)

/** Organizations with answers that could not be measured with the present rules and names, with their number. */
export const readMeasurementFailures = Effect.fn("readMeasurementFailures")(function*() {
  const found = yield* (yield* MeasurementStore).countFailures(measureVersion)
  if (found.length === 0) return []
  const slugs = new Map((yield* (yield* OrganizationStore).list).map(({ id, slug }) => [id, slug]))
  return found.map(({ answers, organizationId }) => ({ organization: slugs.get(organizationId)!, answers }))
})
