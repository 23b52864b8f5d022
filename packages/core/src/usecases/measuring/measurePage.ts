import { Effect, Result } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { AnalysisError } from "../../ports/AnswerAnalysis.ts"
import { MeasurementStore, type StoredMeasurement } from "../../ports/MeasurementStore.ts"
import { now } from "../now.ts"
import type { FindKept } from "./keepMeasured.ts"
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

/** Answers that were measured, and those that could not be. */
export interface MeasuredPage {
  /** Measurements that hold: their answers were not measured again. */
  readonly kept: ReadonlyArray<StoredMeasurement>
  readonly measured: ReadonlyArray<StoredMeasurement>
  readonly failed: ReadonlyArray<readonly [AnswerId, AnalysisError]>
}

const nothing: ReadonlyMap<AnswerId, StoredMeasurement> = new Map()

/**
 * Measures answers and stores nothing. One that is in `unmeasurable` is left out; one whose measurement `findKept`
 * finds is not measured again.
 */
export const readPage = Effect.fnUntraced(
  function*(
    { measureAll }: Measurer,
    page: ReadonlyArray<Measurable>,
    unmeasurable: Unmeasurable,
    findKept?: FindKept
  ) {
    const kept = findKept === undefined || page.length === 0 ? nothing : yield* findKept(page)
    const tried = page.filter(({ answerId }) => !kept.has(answerId) && !unmeasurable.has(answerId))
    const results = yield* measureAll(tried)
    const read: MeasuredPage = {
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
 * Stores what `readPage` measured or kept, with one statement; returns how many answers that are. One that could not be
 * measured is noted, with a warning, and added to `unmeasurable`.
 */
export const storePage = Effect.fnUntraced(
  function*(tracked: TrackedBy, { failed, kept, measured }: MeasuredPage, unmeasurable: Unmeasurable) {
    for (const [answerId, error] of failed) {
      unmeasurable.set(answerId, error.reason)
      yield* noteFailure(tracked, answerId, error)
    }
    yield* (yield* MeasurementStore).insert(tracked.organizationId, [...kept, ...measured])
    return kept.length + measured.length
  }
)

/** `readPage`, then `storePage`. */
export const measurePage = Effect.fnUntraced(
  function*(
    organizationId: OrganizationId,
    measurer: Measurer,
    page: ReadonlyArray<Measurable>,
    unmeasurable: Unmeasurable
  ) {
    const read = yield* readPage(measurer, page, unmeasurable)
    return yield* storePage({ organizationId, trackedSetVersion: measurer.set.version }, read, unmeasurable)
  }
)
