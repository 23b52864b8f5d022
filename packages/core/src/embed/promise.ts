/**
 * `@sov/core/promise`: sov for programs without Effect. `openSov` opens a home whose methods are use cases as promises.
 * They reject with the typed errors of these use cases: classes with a `_tag`, which `isSovError` recognises.
 */
export type { Answer, Citation, Finish, Usage } from "../domain/archive/Answer.ts"
export type { ArchiveFilters } from "../domain/archive/ArchiveFilters.ts"
export type { ArchiveRow } from "../domain/archive/ArchiveRow.ts"
export type { KeywordId, OrganizationId, ScanId } from "../domain/ids.ts"
export type { Mail } from "../domain/mail/Mail.ts"
export type { Organization } from "../domain/organizations/Organization.ts"
export type { PlanId } from "../domain/organizations/Plan.ts"
export { type PlatformId, platformIds } from "../domain/platforms/Platform.ts"
export type { PlatformFailure } from "../domain/scanning/Cell.ts"
export type { Scan } from "../domain/scanning/Scan.ts"
export type { Score } from "../domain/scoring/Score.ts"
export type { TrackingFile } from "../domain/tracking/TrackedSet.ts"
export type { AnswerPlatform, AnswerPlatforms } from "../ports/AnswerPlatform.ts"
export { MailError } from "../ports/Mailer.ts"
export type { DeletionRequest } from "../ports/OrganizationData.ts"
export { OrganizationExists, type OrganizationLimits } from "../ports/OrganizationStore.ts"
export { StoreError } from "../ports/StoreError.ts"
export type { OrganizationUsage, PlatformUsage } from "../ports/UsageStore.ts"
export {
  BudgetSpent,
  IdempotencyMismatch,
  NoCompletedScan,
  NoScore,
  NotFound,
  NotReady,
  OrganizationSuspended,
  PlatformsDiffer,
  PlatformsMissing,
  QuotaExhausted,
  Rejected,
  ScanEnded
} from "../usecases/errors.ts"
export type { UsageReport } from "../usecases/organizations/readUsage.ts"
export type { ScanProgress } from "../usecases/scanning/followScan.ts"
export type { ScoreReport } from "../usecases/scoring/readScoreReport.ts"
export {
  AskFailed,
  type CustomAnswer,
  type CustomPlatform,
  makeCustomPlatform,
  readPlatforms
} from "./customPlatform.ts"
export { isSovError, type SovError } from "./errors.ts"
export type { LogEntry, OpenOptions, Organizations, ScanOptions, ScanResult, Sov, SovClock } from "./Home.ts"
export { openSov } from "./openSov.ts"
