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

/** One answer to measure: its text as archived and the prompt that brought it. */
export interface Measurable {
  readonly answerId: AnswerId
  readonly promptUsed: string
  readonly rawResponse: string
}

/**
 * How long reading an answer may take before it is archived: one of 4 MiB takes a second or two, and what takes longer
 * is archived unmeasured.
 */
export const archiveDeadline = Duration.seconds(5)

/** How long it may take before the scan is completed without the answer: beside other work, so it may take longer. */
export const completionDeadline = Duration.seconds(30)

/** How long it may take when somebody waits for nothing else. */
export const rescoreDeadline = Duration.minutes(5)

/** Measures one answer, by rules alone. */
export type Measure = (answer: Measurable) => Effect.Effect<StoredMeasurement, AnalysisError>

/** Measures answers for one tracked set. */
export interface Measurer {
  readonly set: TrackedSet
  readonly measure: Measure
  /** Many answers, in their order: each is measured, or says why not. */
  readonly measureAll: (
    answers: ReadonlyArray<Measurable>
  ) => Effect.Effect<ReadonlyArray<Result.Result<StoredMeasurement, AnalysisError>>>
  /** What is stored of an answer that is measured so. */
  readonly toStored: (answerId: AnswerId, measured: Measured, measuredAt: Date) => StoredMeasurement
}

/** A measurer for one tracked set, whose terms are compiled once. */
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
