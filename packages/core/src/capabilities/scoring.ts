/** Scores, their uncertainty, trends, and the comparison of scans. */

export { Annotation, maxAnnotations, maxAnnotationText } from "../domain/scoring/Annotation.ts"
export {
  type Asked,
  type AskedKeywords,
  type ConfiguredPlatform,
  countAskedKeywords,
  findNarrowing,
  formatAsked,
  formatAskedPlatforms,
  formatNarrowing,
  summarizeAsked
} from "../domain/scoring/asked.ts"
export * from "../domain/scoring/breaks.ts"
export {
  averageCells,
  competitorShare,
  groupIntoCells,
  nobodyShare,
  type ScoredCell,
  selectHeadlineCells,
  type Share
} from "../domain/scoring/cells.ts"
export * from "../domain/scoring/commonCells.ts"
export {
  definitionWords,
  estimateVoice,
  type Voice,
  type VoiceColumn,
  type VoiceDefinition,
  voiceDefinitions,
  type VoiceRow,
  type VoiceShare
} from "../domain/scoring/definitions.ts"
export {
  describeNoOverview,
  describeNotComparable,
  describeTrend,
  formatSigned
} from "../domain/scoring/describeTrend.ts"
export * from "../domain/scoring/estimand.ts"
export * from "../domain/scoring/evidenceGrade.ts"
/** The earlier name. */
export { gradeMeanings as gradeMeans } from "../domain/scoring/evidenceGrade.ts"
export * from "../domain/scoring/evidencePlan.ts"
export {
  type Interval,
  keywordInterval,
  type MentionRate,
  mentionRate,
  minKeywords,
  samplingInterval
} from "../domain/scoring/intervals.ts"
export { type KeywordCourse, makeKeywordCourse, type RowOfScan } from "../domain/scoring/keywordCourse.ts"
export * from "../domain/scoring/keywordMarks.ts"
export * from "../domain/scoring/movements.ts"
export * from "../domain/scoring/noise.ts"
export * from "../domain/scoring/panelPlan.ts"
export * from "../domain/scoring/Period.ts"
export * from "../domain/scoring/prediction.ts"
export * from "../domain/scoring/Score.ts"
export * from "../domain/scoring/scoreDetail.ts"
export { makeRandom } from "../domain/scoring/seededRandom.ts"
export {
  describeJudged,
  estimateSentiments,
  type JudgedRow,
  type SentimentShare,
  type SentimentShares
} from "../domain/scoring/sentimentShares.ts"
export * from "../domain/scoring/shortStanding.ts"
export * from "../domain/scoring/spotOdds.ts"
export * from "../domain/scoring/standing.ts"
export { t95 } from "../domain/scoring/studentT.ts"
export { type TagShare, tooFewAnswers } from "../domain/scoring/tagShares.ts"
export { findTopics } from "../domain/scoring/topics.ts"
export * from "../domain/scoring/trend.ts"
export type { TrendPoint } from "../domain/scoring/trendLine.ts"

export * from "../json/scoring.ts"
export * from "../json/simulated.ts"

export * from "../ports/AnnotationStore.ts"
export * from "../ports/ScoreStore.ts"

export { compareSurfaces } from "../domain/scoring/compareSurfaces.ts"
export * from "../usecases/scoring/annotate.ts"
export { auditNoise, type NoiseAudit } from "../usecases/scoring/auditNoise.ts"
export * from "../usecases/scoring/compareScans.ts"
export { countNaming } from "../usecases/scoring/countNaming.ts"
export { keepScoreDetail } from "../usecases/scoring/keepScoreDetail.ts"
export * from "../usecases/scoring/listScanShares.ts"
export { type Course, listCourse, type NamedStanding } from "../usecases/scoring/namedStandings.ts"
export { findBlindAlert, type PanelPlan, planPanel, type PricedOption } from "../usecases/scoring/planPanel.ts"
export * from "../usecases/scoring/readCompetitors.ts"
export * from "../usecases/scoring/readEvidence.ts"
export * from "../usecases/scoring/readGrade.ts"
export { type Movements, readMovements } from "../usecases/scoring/readMovements.ts"
export { readSurfaceLine } from "../usecases/scoring/readOrigins.ts"
export * from "../usecases/scoring/readOverview.ts"
export { readPeriodReport } from "../usecases/scoring/readPeriodReport.ts"
export * from "../usecases/scoring/readPortfolio.ts"
export { readRecentAnswers } from "../usecases/scoring/readRecentAnswers.ts"
export * from "../usecases/scoring/reads.ts"
export { readScanTagShare } from "../usecases/scoring/readScanTagShare.ts"
export * from "../usecases/scoring/readScoreReport.ts"
export { formSpotCheck, readSpotOdds, type SpotCheck, spotScans } from "../usecases/scoring/readSpotOdds.ts"
export { readSurfaces, type Surfaces } from "../usecases/scoring/readSurfaces.ts"
export { readTagShares, type TagCourse, type TagShares } from "../usecases/scoring/readTagShares.ts"
export { readTrust, type Trust } from "../usecases/scoring/readTrust.ts"
export * from "../usecases/scoring/readViewShares.ts"
export * from "../usecases/scoring/readVisibility.ts"
export * from "../usecases/scoring/readVisibilityWithSources.ts"
export { readMeasuredVoice, readVoice } from "../usecases/scoring/readVoice.ts"
export * from "../usecases/scoring/scansInTrend.ts"
