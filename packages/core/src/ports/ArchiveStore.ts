import { Context, type Effect } from "effect"
import type { AnswerCall, AnswerNeighbour } from "../domain/archive/AnswerDetail.ts"
import type { AnswerFilters } from "../domain/archive/ArchiveFilters.ts"
import type { ArchivedAnswer, ArchivePosition, ArchiveRow } from "../domain/archive/ArchiveRow.ts"
import type { Leaf, LeafInput } from "../domain/archive/Seal.ts"
import type { AnswerId, KeywordId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { SourcesStatus } from "../domain/sources/Source.ts"
import type { StoredMeasurement } from "./MeasurementStore.ts"
import type { StoreError } from "./StoreError.ts"

/** Size of the archive on one platform. */
export interface ArchiveStats {
  readonly platform: PlatformId
  readonly answers: number
  readonly simulated: number
  /** Bytes of answer text (UTF-8). */
  readonly textBytes: number
  readonly first: Date
  readonly last: Date
}

/** A page of the archive, and the time when the organization's history begins. */
export interface ArchiveHistory<Text = string> {
  readonly rows: ReadonlyArray<ArchiveRow<Text>>
  readonly more: boolean
  /** Where the search stopped before the page was full and before the last answer; null if it did not stop early. */
  readonly reached: ArchivePosition | null
  readonly begin: Date
}

/** Maximum number of answers that one page searches for matches. */
export const searchedAnswers = 10_000

/** Maximum number when texts are searched, which takes a tenth of a millisecond per answer. */
export const searchedTexts = 3000

/** Where a page of the archive starts and ends. */
export interface ArchiveHistoryOptions {
  readonly limit: number
  readonly textBytes: number
  readonly after?: ArchivePosition
  readonly provenance?: boolean
}

/** The number of archived answers of one scan, and how many of them name the brand in their newest measurement. */
export interface ArchivedCounts {
  readonly answers: number
  readonly mentioned: number
}

/** The content of a leaf, and the hash that was stored with it. */
export interface SealedAnswer extends LeafInput {
  readonly leafHash: Uint8Array
  /** SHA-256 (hex) of the stored payload; null if no payload is stored, left out if it was not requested. */
  readonly payloadFound?: string | null
}

/** An answer as an export contains it. */
export interface ExportedAnswer extends LeafInput {
  readonly platform: PlatformId
  readonly keywordId: KeywordId
  readonly simulated: boolean
  /** Whether the platform reported sources, and how many of them were dropped; only for answers with provenance. */
  readonly reported?: { readonly status: SourcesStatus; readonly cut: number }
}

/**
 * ArchiveStore stores every answer permanently. Answers are only added: the database refuses to change or remove one.
 * Readers get each answer with its newest measurement.
 */
export class ArchiveStore extends Context.Service<ArchiveStore, {
  /**
   * Adds the answer of an open cell, with its measurement if there is one, and completes the cell, atomically. Returns
   * false and changes nothing if the cell has already ended.
   */
  readonly archive: (
    organizationId: OrganizationId,
    answer: ArchivedAnswer,
    measurement: StoredMeasurement | null
  ) => Effect.Effect<boolean, StoreError>
  /**
   * Adds an answer without a measurement. Returns false and changes nothing if the question of this cell already has an
   * answer.
   */
  readonly append: (organizationId: OrganizationId, answer: ArchivedAnswer) => Effect.Effect<boolean, StoreError>
  /** One answer and its provenance. */
  readonly find: (organizationId: OrganizationId, id: AnswerId) => Effect.Effect<ArchiveRow | null, StoreError>
  /** The provider's response body of one answer, byte for byte. */
  readonly payload: (organizationId: OrganizationId, id: AnswerId) => Effect.Effect<Uint8Array | null, StoreError>
  /** The adapter that requested one answer, and the model that gave it, as the provider named it. */
  readonly origin: (
    organizationId: OrganizationId,
    id: AnswerId
  ) => Effect.Effect<{ readonly adapter: string; readonly model: string } | null, StoreError>
  /** How one answer was obtained. */
  readonly call: (organizationId: OrganizationId, id: AnswerId) => Effect.Effect<AnswerCall | null, StoreError>
  /**
   * The answers to the same question on the same platform (same sample and kind) in the scans just before and just
   * after, with their newest measurements; null if absent.
   */
  readonly neighbours: (
    organizationId: OrganizationId,
    id: AnswerId
  ) => Effect.Effect<{ readonly before: AnswerNeighbour | null; readonly after: AnswerNeighbour | null }, StoreError>
  /**
   * Up to `limit` rows in the order `createdAt desc, id desc`, starting after `after`; with their provenance if
   * `provenance` is set.
   */
  readonly page: (
    organizationId: OrganizationId,
    filters: AnswerFilters,
    options: { readonly limit: number; readonly after?: ArchivePosition; readonly provenance?: boolean }
  ) => Effect.Effect<ReadonlyArray<ArchiveRow>, StoreError>
  /**
   * Like `page`, but the page also ends once its rows contain `textBytes` bytes (UTF-8) of answers and sources. Also
   * returns whether more rows follow, and when the organization's history begins: with its oldest answer, or with its
   * own creation if that is earlier. Null if there is no such organization. With filters that no index supports (a tag,
   * measured values, or words of the text), at most `searchedAnswers` or `searchedTexts` answers are read, and the page
   * reports where the search stopped.
   */
  readonly history: (
    organizationId: OrganizationId,
    filters: AnswerFilters,
    options: ArchiveHistoryOptions
  ) => Effect.Effect<ArchiveHistory | null, StoreError>
  /** Like `history`, with each answer as UTF-8 bytes, for callers that pass answers on without reading them. */
  readonly historyInUtf8: (
    organizationId: OrganizationId,
    filters: AnswerFilters,
    options: ArchiveHistoryOptions
  ) => Effect.Effect<ArchiveHistory<Uint8Array> | null, StoreError>
  /** Leaves of one scan in id order. */
  readonly leaves: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<ReadonlyArray<Leaf>, StoreError>
  readonly counts: (organizationId: OrganizationId, scanId: ScanId) => Effect.Effect<ArchivedCounts, StoreError>
  readonly stats: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<ArchiveStats>, StoreError>
  /** Time of the oldest answer; null if the archive is empty. */
  readonly oldest: (organizationId: OrganizationId) => Effect.Effect<Date | null, StoreError>
  /** How many answers match. */
  readonly count: (organizationId: OrganizationId, filters: AnswerFilters) => Effect.Effect<number, StoreError>
  /**
   * The approximate number of answers that match, estimated from the questions of scans without reading answers; a few
   * of these questions may have failed.
   */
  readonly estimate: (organizationId: OrganizationId, filters: AnswerFilters) => Effect.Effect<number, StoreError>
  /** The answers with these ids that exist, in any order. `payloads` also hashes their payloads. */
  readonly listSealed: (
    organizationId: OrganizationId,
    ids: ReadonlyArray<AnswerId>,
    options?: { readonly payloads: boolean }
  ) => Effect.Effect<ReadonlyArray<SealedAnswer>, StoreError>
  /** The ids of the answers among these that match. */
  readonly filterIds: (
    organizationId: OrganizationId,
    filters: AnswerFilters,
    ids: ReadonlyArray<AnswerId>
  ) => Effect.Effect<ReadonlySet<AnswerId>, StoreError>
  /**
   * Adds the answers of an export, each with a completed cell. Data that an export does not contain is stored as
   * unknown: no payload, no citations, adapter `import`; for a leaf of version 1 also model `unknown` and no sources.
   */
  readonly restore: (
    organizationId: OrganizationId,
    answers: ReadonlyArray<ExportedAnswer>
  ) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/ArchiveStore") {}
