import { Effect } from "effect"
import { type AnalysedText, AnswerAnalysis, type NamesToFind } from "../../ports/AnswerAnalysis.ts"
import { completionDeadline } from "./measureStored.ts"

/**
 * Measures a text, with the reason of each occurrence of a name. Fails with AnalysisError where a scan would be
 * completed without such an answer: after 30 s, or where it takes more memory than a thread may use.
 */
export const explainText = Effect.fnUntraced(function*(entities: NamesToFind, answer: AnalysedText) {
  return yield* (yield* AnswerAnalysis).explain(entities, answer, completionDeadline)
})
