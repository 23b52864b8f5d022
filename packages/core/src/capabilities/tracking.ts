/** Keywords, tags, brand and competitors, and suggested competitors. */

export * from "../domain/tracking/decidedTopics.ts"
export * from "../domain/tracking/Keyword.ts"
export {
  type FiledKeyword,
  type KeywordFile,
  makeKeywordFileReader,
  type RefusedLine
} from "../domain/tracking/keywordFile.ts"
export type { NamesChange } from "../domain/tracking/namesChange.ts"
export {
  findSystemTag,
  findTagFault,
  maxTagFilterLength,
  maxTagLength,
  maxTags,
  type SystemTag,
  systemTags,
  Tag,
  type TaggedKeyword,
  tagKey,
  tidyTag
} from "../domain/tracking/Tag.ts"
export { readTagCell } from "../domain/tracking/tagging.ts"
export * from "../domain/tracking/TrackedSet.ts"
export * from "../domain/tracking/untracked/nameQuestion.ts"
export {
  maxSearchedLength,
  type Suggestion,
  type SuggestionExample,
  SuggestionSearch
} from "../domain/tracking/untracked/SuggestionSearch.ts"
export { capturedView, describeImport, maxViewName, standardView } from "../domain/tracking/ViewInput.ts"

export { keywordCsvHeader, keywordCsvLine } from "../json/keywordCsv.ts"
export * from "../json/tracking.ts"

export * from "../ports/KeywordStore.ts"
export * from "../ports/TrackedSetStore.ts"

export { acceptSuggestion } from "../usecases/tracking/acceptSuggestion.ts"
export * from "../usecases/tracking/addKeywords.ts"
export { decideTopics, readTopics } from "../usecases/tracking/decideTopics.ts"
export * from "../usecases/tracking/editTrackedSet.ts"
export {
  addView,
  findScannedView,
  findView,
  listViews,
  readWordings,
  removeView,
  wordKeyword
} from "../usecases/tracking/editViews.ts"
export { exportKeywords } from "../usecases/tracking/exportKeywords.ts"
export { ignoreSuggestion } from "../usecases/tracking/ignoreSuggestion.ts"
export { importKeywords, type ImportResult } from "../usecases/tracking/importKeywords.ts"
export { type JudgedSuggestions, judgeSuggestions } from "../usecases/tracking/judgeSuggestions.ts"
export * from "../usecases/tracking/listKeywords.ts"
export * from "../usecases/tracking/listKeywordStandings.ts"
export * from "../usecases/tracking/offerSpellings.ts"
export * from "../usecases/tracking/previewNames.ts"
export * from "../usecases/tracking/readIgnoredNames.ts"
export * from "../usecases/tracking/readKeywordHistory.ts"
export * from "../usecases/tracking/readRecentSuggestions.ts"
export * from "../usecases/tracking/reads.ts"
export { findNamedTag, findTagged, listTags, readBranded, readTags } from "../usecases/tracking/readTags.ts"
export { readUntrackedNames } from "../usecases/tracking/readUntrackedNames.ts"
export { restoreSuggestion } from "../usecases/tracking/restoreSuggestion.ts"
export { setKeywordStatus } from "../usecases/tracking/setKeywordStatus.ts"
export { suggestCompetitors, type Suggestions } from "../usecases/tracking/suggestCompetitors.ts"
export { type RetaggedKeyword, setKeywordTags, tagKeywords, untagKeywords } from "../usecases/tracking/tagKeywords.ts"
