import { Effect } from "effect"
import type { AnswerId } from "../../domain/ids.ts"
import { compileTerms, measureVersion, measureWithTerms } from "../../domain/measuring/measureAnswer.ts"
import { scoreRow } from "../../domain/scoring/Score.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { IcuVersion } from "../../ports/IcuVersion.ts"
import type { StoredMeasurement } from "../../ports/MeasurementStore.ts"
import { now } from "../now.ts"

/** One answer to measure: its text as archived and the prompt that brought it. */
export interface Measurable {
  readonly answerId: AnswerId
  readonly promptUsed: string
  readonly rawResponse: string
}

/** Measures one answer, by rules alone. */
export type Measure = (answer: Measurable) => Effect.Effect<StoredMeasurement>

/** Measures answers for one tracked set. */
export interface Measurer {
  readonly set: TrackedSet
  readonly measure: Measure
}

/** A measurer for one tracked set, whose terms are compiled once. */
export const makeMeasurer = Effect.fnUntraced(function*(set: TrackedSet) {
  const icuVersion = yield* IcuVersion
  const compiled = compileTerms(set.brand, set.competitors, set.brand.excludes)
  const measure: Measure = (answer) =>
    Effect.map(now, (measuredAt) => {
      const measured = measureWithTerms(compiled, answer.rawResponse, answer.promptUsed)
      const indexes = new Set(measured.mentions.flatMap(({ entity }) => entity === "brand" ? [] : [entity]))
      const competitorsMentioned = [...indexes].map((index) => set.competitors[index]!.id)
      return {
        answerId: answer.answerId,
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
    })
  const measurer: Measurer = { set, measure }
  return measurer
})
