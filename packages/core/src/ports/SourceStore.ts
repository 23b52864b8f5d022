/**
 * SourceStore stores the sources of each answer, one row per answer and source version. Rows are only added; readers
 * get the row of the newest version. The owner of a source page is determined from the tracked set at reading time.
 */
import { Context, type Effect } from "effect"
import type { AnswerId, KeywordId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { SourcedAnswer, SourcedRow } from "../domain/sources/citing.ts"
import type { StoredAnswer } from "../domain/sources/deriveSources.ts"
import type { AnswerSources, Source } from "../domain/sources/Source.ts"
import type { MeasurementVersions } from "./MeasurementStore.ts"
import type { StoreError } from "./StoreError.ts"

/** The sources of one answer, as derived by one version of the rules. */
export interface StoredSources extends AnswerSources {
  readonly answerId: AnswerId
  readonly sourceVersion: number
  readonly derivedAt: Date
}

/** An answer whose sources still need to be derived. */
export interface Underived extends StoredAnswer {
  readonly answerId: AnswerId
}

/** One answer with everything that is stored about its sources. */
export interface AnswerWithSources extends SourcedRow {
  readonly answerId: AnswerId
  readonly createdAt: Date
  readonly keywordId: KeywordId
  readonly sources: ReadonlyArray<Source>
  /** Rank of the brand among the named entities, from 1; null if it is not named. */
  readonly mentionPosition: number | null
}

/** One answer with its newest sources. */
export interface ReadAnswer extends SourcedAnswer {
  readonly answerId: AnswerId
  readonly sources: ReadonlyArray<Source>
}

/** One answer that has sources, with its newest sources; it may be unmeasured. */
export type ListedAnswer = Pick<
  AnswerWithSources,
  "answerId" | "scanId" | "createdAt" | "platform" | "keywordId" | "sources"
>

/** Counts that only grow. While they stay the same, the newest scans and their sources also stay the same. */
export interface SourceState {
  /** Number of scores of all completed scans and versions. */
  readonly scores: number
  /** The newest version of the tracked set; 0 if no brand is set. */
  readonly trackedSetVersion: number
  readonly resolvedUrls: number
  /** Number of source rows of the scans' answers, of all versions. */
  readonly derived: number
}

export class SourceStore extends Context.Service<SourceStore, {
  /** Adds rows; an existing row for the same answer and version is left unchanged. */
  readonly insert: (
    organizationId: OrganizationId,
    sources: ReadonlyArray<StoredSources>
  ) => Effect.Effect<void, StoreError>
  /**
   * The next answers of the scan without sources of this version, in id order, starting after `after`. Returns as many
   * answers as contain `bytes` bytes of payloads and texts, at least one and at most 500. An answer without a payload
   * (an imported one) that has sources of any version is left out, because they cannot be derived better.
   */
  readonly underived: (
    organizationId: OrganizationId,
    scanId: ScanId,
    sourceVersion: number,
    options: { readonly bytes: number; readonly after?: AnswerId }
  ) => Effect.Effect<ReadonlyArray<Underived>, StoreError>
  /** How many answers the scan has, and how many of these `underived` does not list for this version. */
  readonly counts: (
    organizationId: OrganizationId,
    scanId: ScanId,
    sourceVersion: number
  ) => Effect.Effect<{ readonly answers: number; readonly derived: number }, StoreError>
  /** Like `counts` for several scans, in one statement. A scan without answers is left out. */
  readonly countsOfScans: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>,
    sourceVersion: number
  ) => Effect.Effect<ReadonlyMap<ScanId, { readonly answers: number; readonly derived: number }>, StoreError>
  /** The newest sources of an answer; null if it has no sources or does not exist. */
  readonly find: (organizationId: OrganizationId, id: AnswerId) => Effect.Effect<StoredSources | null, StoreError>
  /**
   * These answers with their newest sources, measured or not, in any order; an answer without sources has the status
   * null.
   */
  readonly ofAnswers: (
    organizationId: OrganizationId,
    ids: ReadonlyArray<AnswerId>
  ) => Effect.Effect<ReadonlyArray<ReadAnswer>, StoreError>
  /** The platforms for which at least one answer of the scan has `complete` newest sources. */
  readonly listReportingPlatforms: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<ReadonlySet<PlatformId>, StoreError>
  /**
   * The answers of scans that are measured with these versions, each with its newest sources; an answer without sources
   * has the status null.
   */
  readonly ofScans: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>,
    versions: MeasurementVersions
  ) => Effect.Effect<ReadonlyArray<AnswerWithSources>, StoreError>
  /** The counts on which the sources of these scans depend. Costs less to read than `ofScans`. */
  readonly stateOf: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>
  ) => Effect.Effect<SourceState, StoreError>
  /** The answers of a scan that have sources, each with the newest, in id order. */
  readonly ofScan: (
    organizationId: OrganizationId,
    scanId: ScanId
  ) => Effect.Effect<ReadonlyArray<ListedAnswer>, StoreError>
}>()("@sov/core/ports/SourceStore") {}
