import { Effect, Result } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { AnalysisError } from "../../ports/AnswerAnalysis.ts"
import { MeasurementStore, type StoredMeasurement } from "../../ports/MeasurementStore.ts"
import { now } from "../now.ts"
import type { FindKept } from "./keepMeasured.ts"
import type { TrackedSetKey } from "./measurers.ts"
import type { Measurable, Measurer } from "./measureStored.ts"

/** Answers that could not be measured, with the reason. */
export type Unmeasurable = Map<AnswerId, AnalysisError["reason"]>

/** Stores that an answer could not be measured, which explains its missing measurement. */
export const noteFailure = Effect.fnUntraced(
  function*(
    { organizationId, trackedSetVersion }: TrackedSetKey,
    answerId: AnswerId,
    { message, reason }: AnalysisError
  ) {
    yield* Effect.logWarning(`answer ${answerId} stays unmeasured (${reason}): ${message}`)
    const failure = { answerId, measureVersion, trackedSetVersion, reason, failedAt: yield* now }
    yield* (yield* MeasurementStore).noteFailure(organizationId, failure)
  }
)

/** Measured answers and failed ones. */
export interface MeasuredBatch {
  /** Measurements that stay valid, so that their answers were not measured again. */
  readonly kept: ReadonlyArray<StoredMeasurement>
  readonly measured: ReadonlyArray<StoredMeasurement>
  readonly failed: ReadonlyArray<readonly [AnswerId, AnalysisError]>
}

const nothing: ReadonlyMap<AnswerId, StoredMeasurement> = new Map()

/**
 * Measures answers and stores nothing. Skips answers in `unmeasurable`, and answers whose measurement `findKept` finds.
 */
export const measureWithoutStoring = Effect.fnUntraced(
  function*(
    { measureAll }: Measurer,
    page: ReadonlyArray<Measurable>,
    unmeasurable: Unmeasurable,
    findKept?: FindKept
  ) {
    const kept = findKept === undefined || page.length === 0 ? nothing : yield* findKept(page)
    const tried = page.filter(({ answerId }) => !kept.has(answerId) && !unmeasurable.has(answerId))
    const results = yield* measureAll(tried)
    const read: MeasuredBatch = {
      kept: [...kept.values()],
      measured: results.flatMap((result) => Result.isSuccess(result) ? [result.success] : []),
      failed: results.flatMap((result, n) =>
        Result.isFailure(result) ? [[tried[n]!.answerId, result.failure] as const] : []
      )
    }
    return read
  }
)

/**
 * Stores the measurements of `measureWithoutStoring`, new and kept, with one statement; returns their number. Stores
 * each failure, logs a warning and adds the answer to `unmeasurable`.
 */
export const storePage = Effect.fnUntraced(
  function*(tracked: TrackedSetKey, { failed, kept, measured }: MeasuredBatch, unmeasurable: Unmeasurable) {
    for (const [answerId, error] of failed) {
      unmeasurable.set(answerId, error.reason)
      yield* noteFailure(tracked, answerId, error)
    }
    yield* (yield* MeasurementStore).insert(tracked.organizationId, [...kept, ...measured])
    return kept.length + measured.length
  }
)

/** Calls `measureWithoutStoring`, then `storePage`. */
export const measurePage = Effect.fnUntraced(
  function*(
    organizationId: OrganizationId,
    measurer: Measurer,
    page: ReadonlyArray<Measurable>,
    unmeasurable: Unmeasurable
  ) {
    const read = yield* measureWithoutStoring(measurer, page, unmeasurable)
    return yield* storePage({ organizationId, trackedSetVersion: measurer.set.version }, read, unmeasurable)
  }
)
