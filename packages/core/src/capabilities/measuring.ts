/** Measurements of an answer: mentions and sentiment, and the judge. */

export * from "../domain/measuring/changes.ts"
export * from "../domain/measuring/describeFailure.ts"
export * from "../domain/measuring/explain.ts"
export * from "../domain/measuring/measureAnswer.ts"
export * from "../domain/measuring/Measurement.ts"
export { sentimentQuestion } from "../domain/measuring/sentimentQuestion.ts"
export { offeredSpellings } from "../domain/measuring/spellings.ts"
export * from "../domain/measuring/termsChange.ts"

export * from "../ports/AnswerAnalysis.ts"
export * from "../ports/IcuVersion.ts"
export * from "../ports/Judge.ts"
export * from "../ports/MeasurementStore.ts"

export { explainText } from "../usecases/measuring/explainText.ts"
export { findMentions } from "../usecases/measuring/findMentions.ts"
export { makeKeeper } from "../usecases/measuring/keepMeasured.ts"
export { measureScan } from "../usecases/measuring/measureScan.ts"
export { makeMeasurer, rescoreDeadline } from "../usecases/measuring/measureStored.ts"
export * from "../usecases/measuring/previewRescore.ts"
export * from "../usecases/measuring/reads.ts"
export * from "../usecases/measuring/rescore.ts"

// The names of these exports in version 0.1
export { toEntityTerms as pickTerms } from "../domain/measuring/Measurement.ts"
export type { NamesToFind as AnalysedEntities } from "../ports/AnswerAnalysis.ts"
