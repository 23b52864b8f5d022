import { Effect } from "effect"
import type { Mention } from "../../domain/measuring/Measurement.ts"
import { type AnalysedText, AnswerAnalysis, type NamesToFind } from "../../ports/AnswerAnalysis.ts"
import { archiveDeadline } from "./measureStored.ts"

/**
 * Where an answer mentions whom, by the rules of this version; to show it. Fails with AnalysisError after 5 s, which is
 * how long an answer may take before it is archived.
 */
export const findMentions = Effect.fnUntraced(function*(entities: NamesToFind, answer: AnalysedText) {
  const { mentions } = yield* (yield* AnswerAnalysis).measure(entities, answer, archiveDeadline)
  return mentions satisfies ReadonlyArray<Mention>
})
