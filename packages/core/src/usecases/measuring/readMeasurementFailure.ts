import { Effect } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"

/** Why an answer could not be measured with its newest names and rules; null where it was, or was not tried. */
export const readMeasurementFailure = Effect.fn("readMeasurementFailure")(
  function*(organizationId: OrganizationId, id: AnswerId) {
    return yield* (yield* MeasurementStore).findFailure(organizationId, id)
  }
)
