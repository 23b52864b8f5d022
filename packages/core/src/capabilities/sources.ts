/** The sources that answers cite. */

export * from "../domain/sources/actions/Action.ts"
export * from "../domain/sources/actions/ActionMark.ts"
export * from "../domain/sources/actions/describeAction.ts"
export * from "../domain/sources/actions/findActions.ts"
export * from "../domain/sources/actions/FoundReport.ts"
export * from "../domain/sources/actions/writtenNames.ts"
export { captureAnswer } from "../domain/sources/captureAnswer.ts"
export { type CitingRow, type SourcedRow, toCitingRows } from "../domain/sources/citing.ts"
export { deriveSources, isGroundingRedirect, locateSource, type StoredAnswer } from "../domain/sources/deriveSources.ts"
export * from "../domain/sources/funnel.ts"
export * from "../domain/sources/metrics.ts"
export * from "../domain/sources/owners.ts"
export { type Page, parsePage } from "../domain/sources/pageKey.ts"
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
} from "../domain/sources/resolvedUrl.ts"
export { countSearches, type Search } from "../domain/sources/searches.ts"
export { fisherExactGreater, selectByFalseDiscoveryRate, signTest } from "../domain/sources/significance.ts"
export * from "../domain/sources/Source.ts"

export * from "../json/actions.ts"
export * from "../json/sources.ts"

export * from "../ports/ActionStore.ts"
export * from "../ports/RedirectResolver.ts"
export * from "../ports/ResolvedUrlStore.ts"
export * from "../ports/SourceStore.ts"

export { type ExportedSource, exportSources } from "../usecases/sources/exportSources.ts"
export * from "../usecases/sources/markAction.ts"
export { type ActionReport, haveNamesChanged, readActions, readKeptActions } from "../usecases/sources/readActions.ts"
export { type CitedDomains, readCitedDomains } from "../usecases/sources/readCitedDomains.ts"
export { readFunnels } from "../usecases/sources/readFunnel.ts"
export { readAnswerSources, type ReadSources } from "../usecases/sources/reads.ts"
export { readSourceChanges } from "../usecases/sources/readSourceChanges.ts"
export { readSourceHighlights, type SourceHighlights } from "../usecases/sources/readSourceHighlights.ts"
export { readSources, type SourceReport, type SourceScope } from "../usecases/sources/readSources.ts"
export { makeRedirectMemory, resolveRedirects } from "../usecases/sources/redirectKind.ts"
