/**
 * @sov/core: share of voice in AI answers. Domain (what the words mean), JSON (how clients see it), ports (what is
 * needed from outside) and use cases (what is done). Adapters have entry points of their own: `@sov/core/postgres`,
 * `@sov/core/outbound`.
 */

// ---- Domain: what the words mean ----

// Ids, cursors, dates and wording that every capability shares
export { withoutCredentials } from "./domain/credentials.ts"
export * from "./domain/Cursor.ts"
export * from "./domain/dateBound.ts"
export * from "./domain/ids.ts"
export { describeJsonFault, parseJson } from "./domain/parseJson.ts"
export { brandedOnlyNote, pluralized } from "./domain/wording.ts"

// Organizations, plans and quotas
export * from "./domain/organizations/HistoryWindow.ts"
export * from "./domain/organizations/Organization.ts"
export * from "./domain/organizations/Plan.ts"
export * from "./domain/organizations/Quota.ts"

// API keys, and the encryption of stored secrets
export * from "./domain/access/ApiKey.ts"
export * from "./domain/access/mcpClients.ts"
export * from "./domain/access/secretBox.ts"
export * from "./domain/sharing/ShareLink.ts"

// People: roles, sign-in links and sessions of the dashboard
export { describeBrowser } from "./domain/people/browser.ts"
export { maxInvitations, maxOpenInvitations } from "./domain/people/invitationLimits.ts"
export * from "./domain/people/LoginLink.ts"
export * from "./domain/people/Person.ts"
export * from "./domain/people/Role.ts"
export * from "./domain/people/Session.ts"
export { formatLinkUrl } from "./domain/people/signInMail.ts"
export * from "./domain/randomToken.ts"

// The audit log
export * from "./domain/audit/Actor.ts"
export * from "./domain/audit/auditActions.ts"
export * from "./domain/audit/AuditEntry.ts"
export { formatAuditDetail } from "./domain/audit/formatAuditDetail.ts"

// What is tracked: keywords, brand and competitors
export * from "./domain/tracking/Keyword.ts"
export {
  type FiledKeyword,
  type KeywordFile,
  makeKeywordFileReader,
  type RefusedLine
} from "./domain/tracking/keywordFile.ts"
export type { NamesChange } from "./domain/tracking/namesChange.ts"
export {
  findSystemTag,
  findTagFault,
  maxTagLength,
  maxTags,
  type SystemTag,
  systemTags,
  Tag,
  type TaggedKeyword,
  tagKey,
  tidyTag
} from "./domain/tracking/Tag.ts"
export { readTagCell } from "./domain/tracking/tagging.ts"
export * from "./domain/tracking/TrackedSet.ts"
export {
  type Suggestion,
  type SuggestionExample,
  SuggestionSearch
} from "./domain/tracking/untracked/SuggestionSearch.ts"

// AI answer platforms: costs, retries and the circuit breaker
export { findMissingParts, type PromisedPart } from "./domain/platforms/answerShape.ts"
export { addAttendance, type AttendanceIntervals, sumAttendedMs } from "./domain/platforms/AttendanceIntervals.ts"
export {
  type Breaker,
  type BreakerState,
  breakerState,
  closedBreaker,
  recordBreakerAnswer,
  recordBreakerFailure,
  tripsAfter
} from "./domain/platforms/Breaker.ts"
export * from "./domain/platforms/Cost.ts"
export { makeEndedMailId } from "./domain/platforms/endedMail.ts"
export { formatDollars } from "./domain/platforms/formatDollars.ts"
export * from "./domain/platforms/Platform.ts"
export { probeQuestion } from "./domain/platforms/probeQuestion.ts"
export * from "./domain/platforms/retryPolicy.ts"

// Scans and their cells
export * from "./domain/scanning/Backlog.ts"
export * from "./domain/scanning/Cell.ts"
export * from "./domain/scanning/failures.ts"
export * from "./domain/scanning/Scan.ts"
export * from "./domain/scanning/ScanHold.ts"
export { estimateSeconds } from "./domain/scanning/startRequest.ts"

// Scheduled scans
export { formatZonedTime } from "./domain/schedules/formatZonedTime.ts"
export * from "./domain/schedules/plainTiming.ts"
export * from "./domain/schedules/Schedule.ts"

// The archive of answers: filters, seals and proofs
export { alignSentences } from "./domain/archive/alignSentences.ts"
export {
  type AnchorDocument,
  makeAnchor,
  parseAnchors,
  stampedBytes,
  toNotedSeal
} from "./domain/archive/AnchorDocument.ts"
export * from "./domain/archive/Answer.ts"
export {
  comparePresence,
  fisherTest,
  isBeyondNoise,
  measureDistance,
  type PresenceChange,
  type Samples
} from "./domain/archive/answerChange.ts"
export * from "./domain/archive/AnswerDetail.ts"
export { decodeArchiveCursor, encodeArchiveCursor } from "./domain/archive/archiveCursor.ts"
export {
  type ArchiveFilters,
  type ArchiveParameter,
  archiveParameters,
  type ClientFilter,
  filtersFromParameters,
  filtersToParameters,
  keepGivenFilters
} from "./domain/archive/ArchiveFilters.ts"
export {
  type Anchor,
  anchorFromSeal,
  type ArchiveProblem,
  formatAnchor,
  makeChainChecker,
  type NotedSeal,
  parseAnchor
} from "./domain/archive/ArchiveProblem.ts"
export * from "./domain/archive/ArchiveRow.ts"
export * from "./domain/archive/excerpt.ts"
export * from "./domain/archive/ExportManifest.ts"
export { type AnswerProof, checkProof, parseProof } from "./domain/archive/Proof.ts"
export * from "./domain/archive/Seal.ts"

// Measurements of an answer: mentions and sentiment
export * from "./domain/measuring/changes.ts"
export * from "./domain/measuring/describeFailure.ts"
export * from "./domain/measuring/explain.ts"
export * from "./domain/measuring/measureAnswer.ts"
export * from "./domain/measuring/Measurement.ts"
export { offeredSpellings } from "./domain/measuring/spellings.ts"
export * from "./domain/measuring/termsChange.ts"

// Scores, their uncertainty, and the comparison of scans
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
} from "./domain/scoring/asked.ts"
export {
  averageCells,
  competitorShare,
  groupIntoCells,
  nobodyShare,
  type ScoredCell,
  selectHeadlineCells,
  type Share
} from "./domain/scoring/cells.ts"
export * from "./domain/scoring/commonCells.ts"
export { describeNotComparable, describeTrend, formatSigned } from "./domain/scoring/describeTrend.ts"
export {
  type Interval,
  keywordInterval,
  type MentionRate,
  mentionRate,
  minKeywords,
  samplingInterval
} from "./domain/scoring/intervals.ts"
export { type KeywordCourse, makeKeywordCourse, type RowOfScan } from "./domain/scoring/keywordCourse.ts"
export * from "./domain/scoring/keywordMarks.ts"
export * from "./domain/scoring/movements.ts"
export * from "./domain/scoring/panelPlan.ts"
export * from "./domain/scoring/prediction.ts"
export * from "./domain/scoring/Score.ts"
export * from "./domain/scoring/scoreDetail.ts"
export * from "./domain/scoring/standing.ts"
export { t95 } from "./domain/scoring/studentT.ts"
export { type TagShare, tooFewAnswers } from "./domain/scoring/tagShares.ts"
export * from "./domain/scoring/trend.ts"
export type { TrendPoint } from "./domain/scoring/trendLine.ts"

// The sources that answers cite
export { captureAnswer } from "./domain/sources/captureAnswer.ts"
export { type CitingRow, type SourcedRow, toCitingRows } from "./domain/sources/citing.ts"
export { deriveSources, isGroundingRedirect, locateSource, type StoredAnswer } from "./domain/sources/deriveSources.ts"
export * from "./domain/sources/metrics.ts"
export * from "./domain/sources/owners.ts"
export { type Page, parsePage } from "./domain/sources/pageKey.ts"
export {
  isInterposedPage,
  isResolvable,
  moveToTarget,
  parseRedirectTarget,
  pauseAfterTries,
  redirectPrefix,
  type ResolvedUrl,
  type ResolveOutcome,
  resolveOutcomes
} from "./domain/sources/resolvedUrl.ts"
export { countSearches, type Search } from "./domain/sources/searches.ts"
export { fisherExactGreater, selectByFalseDiscoveryRate, signTest } from "./domain/sources/significance.ts"
export * from "./domain/sources/Source.ts"

// Reports
export * from "./domain/reports/ReportEvidence.ts"

// Alert rules and their evaluation
export { type MailNames, renderAlertMail } from "./domain/alerts/alertMail.ts"
export { adaptMemory, findLastRemembered, type FormerMeasurement } from "./domain/alerts/alertMemory.ts"
export * from "./domain/alerts/AlertRule.ts"
export { listNewNames } from "./domain/alerts/describeAlert.ts"
export { describeDrop } from "./domain/alerts/describeDrop.ts"
export { describeEvidence } from "./domain/alerts/describeEvidence.ts"
export * from "./domain/alerts/evaluateAlerts.ts"
export type { ComparableScan, Evidence } from "./domain/alerts/evidence.ts"
export * from "./domain/alerts/falseAlarms.ts"
export { classifyNovelty, type NewMention, type Novelty } from "./domain/alerts/newMention.ts"

// Webhook endpoints, events and deliveries
export { type ChatMessage, linkWords } from "./domain/webhooks/chat/ChatMessage.ts"
export { describeEvent, type EventNames } from "./domain/webhooks/chat/describeEvent.ts"
export { makeDiscordBody } from "./domain/webhooks/chat/discordBody.ts"
export { encodeChatBody } from "./domain/webhooks/chat/encodeChatBody.ts"
export { makeSlackBody } from "./domain/webhooks/chat/slackBody.ts"
export { makeTeamsBody } from "./domain/webhooks/chat/teamsBody.ts"
export * from "./domain/webhooks/Delivery.ts"
export { type EndpointHealth, updateEndpointHealth } from "./domain/webhooks/endpointHealth.ts"
export * from "./domain/webhooks/Event.ts"
export * from "./domain/webhooks/sampleEvent.ts"
export * from "./domain/webhooks/Webhook.ts"

// E-mails and their recipients
export {
  type Digest,
  digestCron,
  type DigestSetting,
  factsOf,
  leadOf,
  renderDigest,
  weekOf,
  withUnsubscribeLink
} from "./domain/mail/digest.ts"
export * from "./domain/mail/EmailAddress.ts"
export * from "./domain/mail/Mail.ts"
export { isTokenOf, makeUnsubscribeToken, organizationOfToken } from "./domain/mail/unsubscribeToken.ts"

// The business card
export * from "./domain/card/BusinessCard.ts"
export { cardForm } from "./domain/card/BusinessCardForms.ts"
export * from "./domain/card/BusinessCardJsonLd.ts"
export { cardItemText, cardText, maxAttesterLength, maxSourceLength } from "./domain/card/BusinessCardText.ts"
export * from "./domain/card/BusinessCardTrust.ts"

// AI traffic in server logs
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

// Workers, their heartbeats and leases
export * from "./domain/workers/NewWork.ts"
export { stopGraceMs } from "./domain/workers/stopGrace.ts"
export * from "./domain/workers/Worker.ts"

// ---- JSON: how clients see it ----

// JSON shapes of each capability
export * from "./json/access.ts"
export * from "./json/alerts.ts"
export * from "./json/archive.ts"
export * from "./json/audit.ts"
export * from "./json/card.ts"
export { csvLine } from "./json/csv.ts"
export * from "./json/digest.ts"
export { keywordCsvHeader, keywordCsvLine } from "./json/keywordCsv.ts"
export * from "./json/organizations.ts"
export * from "./json/people.ts"
export * from "./json/scanning.ts"
export * from "./json/schedules.ts"
export * from "./json/scoring.ts"
export * from "./json/sharing.ts"
export * from "./json/sources.ts"
export * from "./json/tracking.ts"
export * from "./json/webhooks.ts"

// ---- Ports: what is needed from outside ----

// The database as a whole: transactions, errors, and all storage ports together
export * from "./ports/InstanceStore.ts"
export type * from "./ports/StoragePorts.ts"
export * from "./ports/StoreError.ts"
export * from "./ports/TimeStamps.ts"
export * from "./ports/Transaction.ts"

// Organizations and their quotas
export * from "./ports/OrganizationStore.ts"
export * from "./ports/QuotaLedger.ts"

// API keys, rate limits, encryption keys and API servers
export * from "./ports/ApiKeyStore.ts"
export * from "./ports/EncryptionKeys.ts"
export * from "./ports/RateLimiter.ts"
export * from "./ports/ServerRegistry.ts"
export * from "./ports/ShareLinkStore.ts"

// People, their sign-in links and sessions
export * from "./ports/PersonStore.ts"
export * from "./ports/SessionStore.ts"

// The audit log
export * from "./ports/AuditLog.ts"

// Keywords and tracked sets
export * from "./ports/KeywordStore.ts"
export * from "./ports/TrackedSetStore.ts"

// Platforms to ask, their health and their usage
export * from "./ports/AnswerPlatform.ts"
export * from "./ports/HealthStore.ts"
export * from "./ports/UsageStore.ts"

// Scans, their cells and idempotency keys
export * from "./ports/BacklogStore.ts"
export * from "./ports/CellStore.ts"
export * from "./ports/IdempotencyStore.ts"
export * from "./ports/ScanStore.ts"

// Schedules and their runs
export * from "./ports/ScheduleStore.ts"

// Answers and seals
export * from "./ports/ArchiveStore.ts"
export * from "./ports/SealStore.ts"

// Measurements, the sentiment judge and the Unicode version
export * from "./ports/AnswerAnalysis.ts"
export * from "./ports/IcuVersion.ts"
export * from "./ports/MeasurementStore.ts"
export * from "./ports/NameJudge.ts"
export * from "./ports/SentimentJudge.ts"

// Scores
export * from "./ports/ScoreStore.ts"

// Derived sources
export * from "./ports/RedirectResolver.ts"
export * from "./ports/ResolvedUrlStore.ts"
export * from "./ports/SourceStore.ts"

// Alert rules and alerts
export * from "./ports/AlertStore.ts"

// Webhook endpoints, events and deliveries
export * from "./ports/DeliveryStore.ts"
export * from "./ports/DigestStore.ts"
export * from "./ports/EndpointStore.ts"
export * from "./ports/EventOutbox.ts"
export * from "./ports/WebhookSender.ts"

// Queued e-mails and the mail server
export * from "./ports/Mailer.ts"
export * from "./ports/MailStore.ts"

// The business card
export * from "./ports/BusinessCardStore.ts"

// Counts of AI traffic
export * from "./ports/TrafficStore.ts"

// Workers, the placement of their tasks, and notifications between processes
export * from "./ports/Notifications.ts"
export * from "./ports/Placement.ts"
export * from "./ports/PublicUrl.ts"
export * from "./ports/ThisProcess.ts"
export * from "./ports/WorkerRegistry.ts"

// ---- Use cases: what is done ----

export * from "./usecases/index.ts"
