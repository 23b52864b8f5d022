/** AI answer platforms: calls, costs, retries, health and usage. */

export { findMissingParts, type PromisedPart } from "../domain/platforms/answerShape.ts"
export { addAttendance, type AttendanceIntervals, sumAttendedMs } from "../domain/platforms/AttendanceIntervals.ts"
export {
  type Breaker,
  type BreakerState,
  breakerState,
  closedBreaker,
  recordBreakerAnswer,
  recordBreakerFailure,
  tripsAfter
} from "../domain/platforms/Breaker.ts"
export * from "../domain/platforms/Cost.ts"
export { formatDollars } from "../domain/platforms/formatDollars.ts"
export * from "../domain/platforms/Platform.ts"
export { probeQuestion } from "../domain/platforms/probeQuestion.ts"
export {
  addCommand,
  azureUrl,
  isReady as isReadyProvider,
  makeEntry,
  offeredProviders,
  type ProviderName,
  providerNames,
  providers
} from "../domain/platforms/providers.ts"
export * from "../domain/platforms/retryPolicy.ts"
export {
  describeMarket,
  describeSurface,
  type Market,
  type SentMarket,
  type Surface,
  surfaceOf,
  type View
} from "../domain/platforms/surface.ts"
export { makeEndedMailId } from "../domain/platforms/unusableMail.ts"

export * from "../ports/AnswerPlatform.ts"
export * from "../ports/HealthStore.ts"
export * from "../ports/UsageStore.ts"

export { readMonthSpending } from "../usecases/platforms/budget.ts"
export { makeCallLimiter } from "../usecases/platforms/callLimiter.ts"
export * from "../usecases/platforms/estimateCost.ts"
export * from "../usecases/platforms/followEnd.ts"
export * from "../usecases/platforms/listEndedPlatforms.ts"
export * from "../usecases/platforms/listPlatforms.ts"
export * from "../usecases/platforms/probePlatform.ts"
export * from "../usecases/platforms/readOwnPlatforms.ts"
export * from "../usecases/platforms/readPlatformHealth.ts"
export * from "../usecases/platforms/recordCredit.ts"
export { makeRefusals } from "../usecases/platforms/refusals.ts"
export * from "../usecases/platforms/testPlatform.ts"
