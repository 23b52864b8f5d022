import { Effect } from "effect"
import { type AnalysedText, AnswerAnalysis, type NamesToFind } from "../../ports/AnswerAnalysis.ts"
import { archiveDeadline } from "./measureStored.ts"

/**
 * Finds the mentions in an answer, for display. Fails with AnalysisError after `archiveDeadline`, the time that an
 * answer may take before it is archived.
 */
export const findMentions = Effect.fnUntraced(function*(entities: NamesToFind, answer: AnalysedText) {
  return (yield* (yield* AnswerAnalysis).measure(entities, answer, archiveDeadline)).mentions
})
