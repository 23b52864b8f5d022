import { Effect, Result } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { AnalysisError } from "../../ports/AnswerAnalysis.ts"
import { MeasurementStore, type StoredMeasurement } from "../../ports/MeasurementStore.ts"
import { now } from "../now.ts"
import type { TrackedBy } from "./measurers.ts"
import type { Measurable, Measurer } from "./measureStored.ts"

/** Answers that could not be measured, with the reason. */
export type Unmeasurable = Map<AnswerId, AnalysisError["reason"]>

/** Notes that an answer could not be measured, for whoever looks for its measurement. */
export const noteFailure = Effect.fnUntraced(
  function*({ organizationId, trackedSetVersion }: TrackedBy, answerId: AnswerId, { message, reason }: AnalysisError) {
    yield* Effect.logWarning(`answer ${answerId} stays unmeasured (${reason}): ${message}`)
    const failure = { answerId, measureVersion, trackedSetVersion, reason, failedAt: yield* now }
    yield* (yield* MeasurementStore).noteFailure(organizationId, failure)
  }
)

/**
 * Measures answers one after the other and stores what was measured; returns how many. One that cannot be measured holds up no
 * other: it is noted, with a warning, and left out; and so is one that is in `unmeasurable` already.
 */
export const measurePage = Effect.fnUntraced(
  function*(
    organizationId: OrganizationId,
    { measure, set }: Measurer,
    page: ReadonlyArray<Measurable>,
    unmeasurable: Unmeasurable
  ) {
    const measured: Array<StoredMeasurement> = []
    for (const answer of page) {
      const { answerId } = answer
      if (unmeasurable.has(answerId)) continue
      const result = yield* Effect.result(measure(answer))
      if (Result.isSuccess(result)) measured.push(result.success)
      else {
        unmeasurable.set(answerId, result.failure.reason)
        yield* noteFailure({ organizationId, trackedSetVersion: set.version }, answerId, result.failure)
      }
    }
    yield* (yield* MeasurementStore).insert(organizationId, measured)
    return measured.length
  }
)
