import { Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { TrackedSet } from "../domain/TrackedSet.ts"
import { MeasurementStore } from "../ports/MeasurementStore.ts"
import type { Judge } from "../ports/SentimentJudge.ts"
import type { Measurable, Measure } from "./measureStored.ts"

/**
 * Measures an archived answer and stores it with the judge's word for its stance, or with the rules' where the judge
 * gave none. Trouble costs nothing but the judge's word: completion measures by the rules what has no measurement.
 */
export const judgeSentiment = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  set: TrackedSet,
  judge: Judge,
  measure: Measure,
  answer: Measurable
) {
  const measurement = yield* measure(answer)
  const sentiment = measurement.brandMentioned
    ? yield* judge.judge({ brand: set.brand.name, answer: answer.rawResponse })
    : null
  const judged = sentiment === null ? measurement : { ...measurement, sentiment, sentimentBy: judge.by }
  yield* (yield* MeasurementStore).insert(organizationId, [judged])
}, Effect.catchCause((cause) => Effect.logDebug("an answer is archived unmeasured for now", cause)))
