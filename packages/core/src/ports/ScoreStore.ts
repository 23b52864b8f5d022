/**
 * ScoreStore stores the scores of ended scans, one per measure version, tracked-set version and number of measured
 * answers, and the detail of one score per organization. Of several scores with the same versions, the one with the
 * most answers counts as the newest.
 */
import { Context, type Effect } from "effect"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import type { Scan } from "../domain/scanning/Scan.ts"
import type { AskedKeywords } from "../domain/scoring/asked.ts"
import type { Score } from "../domain/scoring/Score.ts"
import type { ScoreDetail } from "../domain/scoring/scoreDetail.ts"
import type { SourceState } from "./SourceStore.ts"
import type { StoreError } from "./StoreError.ts"

/** A completed scan with its newest score. */
export interface ScoredScan {
  readonly scan: Scan
  readonly score: Score
}

/** The headline scan, and the headline scan before it. */
export interface NewestScores {
  readonly latest: ScoredScan
  readonly second: ScoredScan | null
  /**
   * How many of the currently active keywords the newest scan asked; null if the scan itself records what it could have
   * asked.
   */
  readonly keywords: AskedKeywords | null
}

/** The newest scores, and the state of the sources of scans at that moment. */
export interface NewestWithSources {
  readonly newest: NewestScores | null
  readonly state: SourceState
}

/** A completed scan that is earlier than another one. */
export interface EarlierScan {
  readonly scan: Scan
  /** Number of answers behind its newest score with the requested versions; null without such a score. */
  readonly measuredCount: number | null
}

/**
 * A scan as part of a detail. If it gets a score of the same versions with more answers, another detail must be
 * computed.
 */
export interface DetailScan {
  readonly id: ScanId
  readonly measuredCount: number
}

/** Data that is stored beside a score, so that it need not be recomputed from all answers. */
export interface KeptDetail {
  /** The scans behind the detail, oldest first, the score's own scan last. */
  readonly scans: ReadonlyArray<DetailScan>
  readonly detail: ScoreDetail
  /** The earlier scans that were measured like this scan, and whether each shares enough cells with it for a trend. */
  readonly series: ReadonlyMap<ScanId, boolean>
}

export class ScoreStore extends Context.Service<ScoreStore, {
  /**
   * Adds the score; if an equal one exists (same scan, versions and number of answers), it is left unchanged. Removes
   * the detail that `keepDetail` stored.
   */
  readonly insert: (organizationId: OrganizationId, score: Score, at: Date) => Effect.Effect<void, StoreError>
  /** The newest score of one scan, or its score with exactly these versions. */
  readonly ofScan: (
    organizationId: OrganizationId,
    scanId: ScanId,
    versions?: Pick<Score, "measureVersion" | "trackedSetVersion">
  ) => Effect.Effect<Score | null, StoreError>
  /**
   * The newest score of each of these scans, or the score with exactly these versions, in any order. A scan without
   * such a score is left out.
   */
  readonly ofScans: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>,
    versions?: Pick<Score, "measureVersion" | "trackedSetVersion">
  ) => Effect.Effect<ReadonlyArray<Score>, StoreError>
  /**
   * The `headline` scan of each of these organizations, with the scans before it as `listBefore` lists them for its own
   * versions: `wholeOnly` unless it is narrowed itself. An organization without such a scan is left out.
   */
  readonly newestOf: (
    organizationIds: ReadonlyArray<OrganizationId>,
    limit: number
  ) => Effect.Effect<
    ReadonlyMap<OrganizationId, { readonly latest: ScoredScan; readonly before: ReadonlyArray<EarlierScan> }>,
    StoreError
  >
  /**
   * Completed scans of the standard view, of the named view, or of the surface and view of a scan, with their newest
   * score, newest first (`startedAt desc, id desc`); only those started at `since` or later and at `until` or earlier,
   * if given.
   */
  readonly history: (
    organizationId: OrganizationId,
    limit: number,
    since?: Date | null,
    until?: Date | null,
    series?: string | null | Pick<Scan, "surface" | "view">
  ) => Effect.Effect<ReadonlyArray<ScoredScan>, StoreError>
  /**
   * The newest completed scan of the standard view that has a score and asked everything, with its newest score. If no
   * scan of the newest scan's kind (simulated or real) asked everything, the newest scan. The bounds are those of
   * `history`.
   */
  readonly headline: (
    organizationId: OrganizationId,
    since?: Date | null,
    until?: Date | null
  ) => Effect.Effect<ScoredScan | null, StoreError>
  /**
   * Up to `limit` completed scans before this scan with the same kind (simulated or real), surface and view, newest
   * first (`startedAt desc, id desc`); with `wholeOnly`, only those that asked everything.
   */
  readonly listBefore: (
    organizationId: OrganizationId,
    scan: Scan,
    versions: Pick<Score, "measureVersion" | "trackedSetVersion">,
    limit: number,
    wholeOnly?: boolean
  ) => Effect.Effect<ReadonlyArray<EarlierScan>, StoreError>
  /**
   * The detail that `keepDetail` stored for this score; null if the stored detail belongs to another score or to other
   * rules (`scoreDetailVersion`).
   */
  readonly findDetail: (
    organizationId: OrganizationId,
    score: Pick<Score, "scanId" | "measureVersion" | "trackedSetVersion">
  ) => Effect.Effect<KeptDetail | null, StoreError>
  /** Stores the detail of a score, replacing the organization's stored detail. */
  readonly keepDetail: (
    organizationId: OrganizationId,
    score: Pick<Score, "scanId" | "measureVersion" | "trackedSetVersion">,
    kept: KeptDetail
  ) => Effect.Effect<void, StoreError>
  /**
   * The result of `headline`, and the headline before it; null if there is no headline. It is called often, so it runs
   * at most one statement, which may answer several callers. The statement starts after the call.
   */
  readonly newest: (organizationId: OrganizationId) => Effect.Effect<NewestScores | null, StoreError>
  /**
   * The results of `newest` and of `stateOf` of SourceStore for these scans, in one statement that several callers may
   * share. `before` is the state that was read last: an organization with a large state is read alone.
   */
  readonly newestWithSources: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>,
    before: SourceState
  ) => Effect.Effect<NewestWithSources, StoreError>
}>()("@sov/core/ports/ScoreStore") {}
