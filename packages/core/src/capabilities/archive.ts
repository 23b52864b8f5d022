/** The archive of answers: filters, seals, proofs, exports and imports. */

export { alignSentences } from "../domain/archive/alignSentences.ts"
export {
  type AnchorDocument,
  makeAnchor,
  parseAnchors,
  stampedBytes,
  toNotedSeal
} from "../domain/archive/AnchorDocument.ts"
export * from "../domain/archive/Answer.ts"
export {
  comparePresence,
  fisherTest,
  isBeyondNoise,
  measureDistance,
  type PresenceChange,
  type Samples
} from "../domain/archive/answerChange.ts"
export * from "../domain/archive/AnswerDetail.ts"
export { decodeArchiveCursor, encodeArchiveCursor } from "../domain/archive/archiveCursor.ts"
export {
  type ArchiveFilters,
  type ArchiveParameter,
  archiveParameters,
  type ClientFilter,
  filtersFromParameters,
  filtersToParameters,
  keepGivenFilters,
  notJudged
} from "../domain/archive/ArchiveFilters.ts"
export {
  type Anchor,
  anchorFromSeal,
  type ArchiveProblem,
  formatAnchor,
  makeChainChecker,
  type NotedSeal,
  parseAnchor
} from "../domain/archive/ArchiveProblem.ts"
export * from "../domain/archive/ArchiveRow.ts"
export { describeSighting, readCapturedFile, type Sighting } from "../domain/archive/capturedFile.ts"
export * from "../domain/archive/excerpt.ts"
export * from "../domain/archive/ExportManifest.ts"
export { type AnswerProof, checkProof, parseProof } from "../domain/archive/Proof.ts"
export * from "../domain/archive/Seal.ts"
export { makeSealFacts, type SealFacts } from "../domain/archive/SealFacts.ts"

export * from "../json/archive.ts"

export * from "../ports/ArchiveStore.ts"
export * from "../ports/SealStore.ts"
export * from "../ports/TimeStamps.ts"

export * from "../usecases/archive/anchorChain.ts"
export * from "../usecases/archive/beginDownload.ts"
export * from "../usecases/archive/beginExport.ts"
export * from "../usecases/archive/checkTimeStamp.ts"
export * from "../usecases/archive/exportArchive.ts"
export { importArchive } from "../usecases/archive/importArchive.ts"
export { type CapturedImport, importCaptured } from "../usecases/archive/importCaptured.ts"
export * from "../usecases/archive/proveAnswer.ts"
export { type CellChange, type KeywordAnswerChanges, readAnswerChanges } from "../usecases/archive/readAnswerChanges.ts"
export * from "../usecases/archive/readAnswerDetail.ts"
export * from "../usecases/archive/readArchive.ts"
export * from "../usecases/archive/readMentions.ts"
export * from "../usecases/archive/reads.ts"
export { readSightings } from "../usecases/archive/readSightings.ts"
export * from "../usecases/archive/stampAnchor.ts"
export * from "../usecases/archive/verifyArchive.ts"
export * from "../usecases/archive/verifyExport.ts"

// The name of `KeywordAnswerChanges` in version 0.1
export type { KeywordAnswerChanges as AnswerChanges } from "../usecases/archive/readAnswerChanges.ts"
