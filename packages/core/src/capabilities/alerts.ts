/** Alert rules and alerts. */

export { type MailNames, renderAlertMail } from "../domain/alerts/alertMail.ts"
export { adaptMemory, findLastRemembered, type FormerMeasurement } from "../domain/alerts/alertMemory.ts"
export * from "../domain/alerts/AlertRule.ts"
export { listFacts, listNewNames } from "../domain/alerts/describeAlert.ts"
export { describeDrop } from "../domain/alerts/describeDrop.ts"
export { describeEvidence } from "../domain/alerts/describeEvidence.ts"
export * from "../domain/alerts/evaluateAlerts.ts"
export type { ComparableScan, Evidence } from "../domain/alerts/evidence.ts"
export * from "../domain/alerts/falseAlarms.ts"
export { classifyNovelty, type NewMention, type Novelty } from "../domain/alerts/newMention.ts"

export * from "../json/alerts.ts"

export * from "../ports/AlertStore.ts"

export * from "../usecases/alerts/findAlert.ts"
export { findUntrackedNames } from "../usecases/alerts/findUntrackedNames.ts"
export * from "../usecases/alerts/previewAlertRule.ts"
export { raiseAlerts } from "../usecases/alerts/raiseAlerts.ts"
export * from "../usecases/alerts/readAlertLog.ts"
export * from "../usecases/alerts/reads.ts"
export * from "../usecases/alerts/setAlertRule.ts"
