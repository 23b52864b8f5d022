import { Effect, Result } from "effect"
import type { AnswerId } from "../../domain/ids.ts"
import type { AnalysisError } from "../../ports/AnswerAnalysis.ts"
import type { StoredMeasurement } from "../../ports/MeasurementStore.ts"
import type { Measurable, Measure } from "./measureStored.ts"

/** Answers that could not be measured, with the reason. */
export type Unmeasurable = Map<AnswerId, AnalysisError["reason"]>

/**
 * Measures answers one after the other. One that cannot be measured holds up no other: it is noted, with a warning, and left out;
 * and so is one that is noted already.
 */
export const measurePage = Effect.fnUntraced(
  function*(measure: Measure, page: ReadonlyArray<Measurable>, unmeasurable: Unmeasurable) {
    const measured: Array<StoredMeasurement> = []
    for (const answer of page) {
      const { answerId } = answer
      if (unmeasurable.has(answerId)) continue
      const result = yield* Effect.result(measure(answer))
      if (Result.isSuccess(result)) measured.push(result.success)
      else {
        const { message, reason } = result.failure
        unmeasurable.set(answerId, reason)
        yield* Effect.logWarning(`answer ${answerId} stays unmeasured (${reason}): ${message}`)
      }
    }
    return measured
  }
)
