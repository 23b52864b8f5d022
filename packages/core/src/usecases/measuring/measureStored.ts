import { Duration, Effect, Result } from "effect"
import type { AnswerId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import { type Measured, toEntityTerms } from "../../domain/measuring/Measurement.ts"
import { scoreRow } from "../../domain/scoring/Score.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { type AnalysisError, AnswerAnalysis, type NamesToFind } from "../../ports/AnswerAnalysis.ts"
import { IcuVersion } from "../../ports/IcuVersion.ts"
import type { StoredMeasurement } from "../../ports/MeasurementStore.ts"
import { now } from "../now.ts"

/** One answer to measure: its archived text and its prompt. */
export interface Measurable {
  readonly answerId: AnswerId
  readonly promptUsed: string
  readonly rawResponse: string
}

/**
 * Time limit for measuring an answer before it is archived. An answer of 4 MiB takes a second or two; an answer that
 * exceeds the limit is archived unmeasured.
 */
export const archiveDeadline = Duration.seconds(5)

/**
 * Time limit after which a scan completes without the measurement of an answer. It is longer, because it applies in the
 * background.
 */
export const completionDeadline = Duration.seconds(30)

/** Time limit during a rescore, which delays no other work. */
export const rescoreDeadline = Duration.minutes(5)

/** Measures one answer by the rules alone. */
export type Measure = (answer: Measurable) => Effect.Effect<StoredMeasurement, AnalysisError>

/** Measures answers for one tracked set. */
export interface Measurer {
  readonly set: TrackedSet
  readonly measure: Measure
  /** Measures many answers and returns, in the same order, a measurement or an error for each. */
  readonly measureAll: (
    answers: ReadonlyArray<Measurable>
  ) => Effect.Effect<ReadonlyArray<Result.Result<StoredMeasurement, AnalysisError>>>
  /** The stored form of a measurement. */
  readonly toStored: (answerId: AnswerId, measured: Measured, measuredAt: Date) => StoredMeasurement
}

/** Creates a measurer for one tracked set. It compiles the terms once. */
export const makeMeasurer = Effect.fnUntraced(function*(set: TrackedSet, deadline: Duration.Duration) {
  const icuVersion = yield* IcuVersion
  const analysis = yield* AnswerAnalysis
  const entities: NamesToFind = {
    brand: toEntityTerms(set.brand),
    competitors: set.competitors.map(toEntityTerms),
    excludes: set.brand.excludes
  }
  const toText = ({ promptUsed, rawResponse }: Measurable) => ({ text: rawResponse, prompt: promptUsed })
  const toStored: Measurer["toStored"] = (answerId, measured, measuredAt) => {
    const indexes = new Set(measured.mentions.flatMap(({ entity }) => entity === "brand" ? [] : [entity]))
    const competitorsMentioned = [...indexes].map((index) => set.competitors[index]!.id)
    return {
      answerId,
      measureVersion,
      trackedSetVersion: set.version,
      icuVersion,
      brandMentioned: measured.mentioned,
      mentionCount: measured.count,
      mentionPosition: measured.position,
      sentiment: measured.sentiment,
      sentimentBy: "rules",
      sovScore: scoreRow({ brandMentioned: measured.mentioned, competitorsMentioned }),
      competitorsMentioned,
      mentions: measured.mentions,
      measuredAt
    }
  }
  const measurer: Measurer = {
    set,
    toStored,
    measure: (answer) =>
      Effect.gen(function*() {
        const measured = yield* analysis.measure(entities, toText(answer), deadline)
        return toStored(answer.answerId, measured, yield* now)
      }),
    measureAll: (answers) =>
      Effect.gen(function*() {
        const results = yield* analysis.measureAll(entities, answers.map(toText), deadline)
        const at = yield* now
        return results.map((result, n) =>
          Result.map(result, (measured) => toStored(answers[n]!.answerId, measured, at))
        )
      })
  }
  return measurer
})
