/**
 * @sov/core: share of voice in AI answers. Domain (what the words mean), ports (what is needed from outside) and use
 * cases (what is done). Adapters have front doors of their own: `@sov/core/postgres`, `@sov/core/outbound`.
 */
export * from "./domain/AlertRule.ts"
export { alertMail, type MailNames } from "./domain/alerts/alertMail.ts"
export { dropInWords } from "./domain/alerts/dropInWords.ts"
export * from "./domain/alerts/evaluateAlerts.ts"
export type { Evidence, WatchedScan } from "./domain/alerts/evidence.ts"
export type { NewMention } from "./domain/alerts/newMention.ts"
export { lastRemembered, recall, type RememberedThen } from "./domain/alerts/recall.ts"
export * from "./domain/Answer.ts"
export * from "./domain/ApiKey.ts"
export {
  type Anchor,
  anchorOf,
  anchorText,
  type ArchiveProblem,
  chainChecker,
  parseAnchor
} from "./domain/ArchiveProblem.ts"
export * from "./domain/ArchiveRow.ts"
export * from "./domain/Backlog.ts"
export {
  type Breaker,
  breakerAnswered,
  breakerFailed,
  type BreakerState,
  breakerState,
  closedBreaker,
  tripsAfter
} from "./domain/Breaker.ts"
export * from "./domain/businessCard/BusinessCard.ts"
export * from "./domain/businessCard/BusinessCardJson.ts"
export * from "./domain/businessCard/BusinessCardJsonLd.ts"
export { cardItemText, cardText, longestSource } from "./domain/businessCard/BusinessCardText.ts"
export * from "./domain/businessCard/BusinessCardTrust.ts"
export * from "./domain/Cell.ts"
export * from "./domain/Cost.ts"
export { withoutCredentials } from "./domain/credentials.ts"
export * from "./domain/Cursor.ts"
export * from "./domain/dateBound.ts"
export * from "./domain/Delivery.ts"
export * from "./domain/EmailAddress.ts"
export * from "./domain/Event.ts"
export * from "./domain/ids.ts"
export { brandedOnlyInWords, counted } from "./domain/inWords.ts"
export * from "./domain/Keyword.ts"
export * from "./domain/Mail.ts"
export * from "./domain/Measurement.ts"
export * from "./domain/measuring/changes.ts"
export * from "./domain/measuring/explain.ts"
export * from "./domain/measuring/measureAnswer.ts"
export * from "./domain/Organization.ts"
export * from "./domain/Plan.ts"
export * from "./domain/Platform.ts"
export { type AnswerProof, checkProof, proofFromText } from "./domain/Proof.ts"
export * from "./domain/Quota.ts"
export * from "./domain/representation.ts"
export * from "./domain/sampleEvent.ts"
export * from "./domain/Scan.ts"
export * from "./domain/Schedule.ts"
export * from "./domain/Score.ts"
export {
  type Asked,
  askedJson,
  type AskedKeywords,
  askedOf,
  askedText,
  type ConfiguredPlatform,
  platformsText
} from "./domain/scoring/asked.ts"
export {
  averageOf,
  cellsOf,
  competitorShare,
  headlineCells,
  nobodyShare,
  type ScoredCell,
  type Share
} from "./domain/scoring/cells.ts"
export {
  type Interval,
  keywordInterval,
  leastKeywords,
  type MentionRate,
  mentionRate,
  samplingInterval
} from "./domain/scoring/intervals.ts"
export * from "./domain/scoring/movements.ts"
export * from "./domain/scoring/prediction.ts"
export { t95 } from "./domain/scoring/studentT.ts"
export * from "./domain/scoring/trend.ts"
export { measuredOtherwise, signed, trendInWords } from "./domain/scoring/trendInWords.ts"
export * from "./domain/Seal.ts"
export * from "./domain/Sealed.ts"
export { estimateSeconds } from "./domain/startRequest.ts"
export * from "./domain/TrackedSet.ts"
export * from "./domain/traffic/AiTraffic.ts"
export { type TrafficHit, type TrafficSignal } from "./domain/traffic/classify.ts"
export { type FieldNames, type LogField, logFields } from "./domain/traffic/logFields.ts"
export { type LogFormat, logFormats, type LogTally } from "./domain/traffic/LogReader.ts"
export {
  type Assistant,
  builtInSources,
  type CrawlerPurpose,
  crawlerPurposes,
  extendSources,
  TrafficSources
} from "./domain/traffic/TrafficSources.ts"
export { lookedAt, type Watch, watchedMs } from "./domain/Watch.ts"
export * from "./domain/Webhook.ts"
export * from "./domain/Worker.ts"

export * from "./ports/AlertStore.ts"
export * from "./ports/AnswerPlatform.ts"
export * from "./ports/ApiKeyStore.ts"
export * from "./ports/ArchiveStore.ts"
export * from "./ports/BacklogStore.ts"
export * from "./ports/BusinessCardStore.ts"
export * from "./ports/CellStore.ts"
export * from "./ports/DeliveryStore.ts"
export * from "./ports/EncryptionKeys.ts"
export * from "./ports/EndpointStore.ts"
export * from "./ports/EventOutbox.ts"
export * from "./ports/HealthStore.ts"
export * from "./ports/IcuVersion.ts"
export * from "./ports/IdempotencyStore.ts"
export * from "./ports/InstanceStore.ts"
export * from "./ports/KeywordStore.ts"
export * from "./ports/Mailer.ts"
export * from "./ports/MailStore.ts"
export * from "./ports/MeasurementStore.ts"
export * from "./ports/Notifications.ts"
export * from "./ports/OrganizationStore.ts"
export * from "./ports/Placement.ts"
export * from "./ports/QuotaLedger.ts"
export * from "./ports/RateLimiter.ts"
export * from "./ports/ScanStore.ts"
export * from "./ports/ScheduleStore.ts"
export * from "./ports/ScoreStore.ts"
export * from "./ports/SealStore.ts"
export * from "./ports/SentimentJudge.ts"
export * from "./ports/ServerRegistry.ts"
export type * from "./ports/StoragePorts.ts"
export * from "./ports/StoreError.ts"
export * from "./ports/ThisProcess.ts"
export * from "./ports/TrackedSetStore.ts"
export * from "./ports/TrafficStore.ts"
export * from "./ports/Transaction.ts"
export * from "./ports/UsageStore.ts"
export * from "./ports/WebhookSender.ts"
export * from "./ports/WorkerRegistry.ts"

export * from "./usecases/addEndpoint.ts"
export * from "./usecases/addKeywords.ts"
export * from "./usecases/attestBusinessCard.ts"
export * from "./usecases/authenticate.ts"
export * from "./usecases/awaitFirstTries.ts"
export * from "./usecases/comparableScans.ts"
export * from "./usecases/compareScans.ts"
export * from "./usecases/completeScan.ts"
export * from "./usecases/createApiKey.ts"
export * from "./usecases/createOrganization.ts"
export * from "./usecases/deliverNow.ts"
export * from "./usecases/editBusinessCard.ts"
export * from "./usecases/editSchedule.ts"
export * from "./usecases/editTrackedSet.ts"
export * from "./usecases/errors.ts"
export * from "./usecases/estimateCost.ts"
export * from "./usecases/exportArchive.ts"
export * from "./usecases/importArchive.ts"
export * from "./usecases/importTraffic.ts"
export * from "./usecases/initialize.ts"
export { type KeyCache, makeKeyCache } from "./usecases/keyCache.ts"
export * from "./usecases/listKeywords.ts"
export { measureScan } from "./usecases/measureScan.ts"
export { monotonicMs } from "./usecases/now.ts"
export * from "./usecases/previewRescore.ts"
export * from "./usecases/proveAnswer.ts"
export { raiseAlerts } from "./usecases/raiseAlerts.ts"
export * from "./usecases/readAiTraffic.ts"
export * from "./usecases/readAnswer.ts"
export * from "./usecases/readArchive.ts"
export * from "./usecases/readBusinessCard.ts"
export * from "./usecases/readCurrentScore.ts"
export * from "./usecases/readQuota.ts"
export * from "./usecases/readScan.ts"
export * from "./usecases/readScanResults.ts"
export * from "./usecases/readSchedule.ts"
export * from "./usecases/readVisibility.ts"
export * from "./usecases/rescore.ts"
export * from "./usecases/revokeApiKey.ts"
export * from "./usecases/rollApiKey.ts"
export * from "./usecases/rotateSecret.ts"
export * from "./usecases/sendTestMail.ts"
export * from "./usecases/setAlertRule.ts"
export * from "./usecases/setPlan.ts"
export { shiftedClock } from "./usecases/shiftedClock.ts"
export * from "./usecases/startScan.ts"
export * from "./usecases/verifyArchive.ts"
export * from "./usecases/verifyExport.ts"
export * from "./usecases/watchScan.ts"
export { monthSpending } from "./usecases/working/budget.ts"
export { makeCallLog } from "./usecases/working/callLog.ts"
export * from "./usecases/working/completeWhenDone.ts"
export * from "./usecases/working/enterWorker.ts"
export { recordTries } from "./usecases/working/recordTries.ts"
export { runSchedules, workSchedules } from "./usecases/working/runSchedules.ts"
export * from "./usecases/working/startWorker.ts"
export * from "./usecases/working/sweepScans.ts"
export { workDeliveries } from "./usecases/working/workDeliveries.ts"
export { awaitMail } from "./usecases/working/workMail.ts"
