import { Effect } from "effect"
import { type AnalysedText, AnswerAnalysis, type NamesToFind } from "../../ports/AnswerAnalysis.ts"
import { completionDeadline } from "./measureStored.ts"

/**
 * Measures a text, and explains each occurrence of a name. Fails with AnalysisError at the limits that apply when a
 * scan completes: after 30 s, or beyond the memory of a thread.
 */
export const explainText = Effect.fnUntraced(function*(entities: NamesToFind, answer: AnalysedText) {
  return yield* (yield* AnswerAnalysis).explain(entities, answer, completionDeadline)
})
