import { Effect } from "effect"
import type { ReportEvidence } from "../../domain/reports/ReportEvidence.ts"
import { findMentions } from "../measuring/findMentions.ts"
import { listShownAnswers, shownEntities, type ShownMentions } from "./formReport.ts"

/**
 * Finds the mentions in the answers that a report shows, with AnswerAnalysis and therefore not on the server's thread.
 * Fails with AnalysisError if an answer takes too long.
 */
export const findShownMentions = Effect.fn("findShownMentions")(function*(evidence: ReportEvidence) {
  const entities = shownEntities(evidence)
  if (entities === null) return new Map() as ShownMentions
  const found = yield* Effect.forEach(
    listShownAnswers(evidence),
    ({ id, prompt, text }) =>
      Effect.map(findMentions(entities, { text, prompt }), (mentions) => [id, mentions] as const)
  )
  return new Map(found) as ShownMentions
})
