/**
 * ScoreStore keeps the scores of ended scans, one per measure version, tracked-set version and number of measured
 * answers, and the detail of one of an organization. Of several of the same versions the newest is that of the most
 * answers.
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

/** The scan of the headline and that of the headline before it. */
export interface NewestScores {
  readonly latest: ScoredScan
  readonly second: ScoredScan | null
  /** Of the keywords that are active now, how many the newest asked; null where it says what it could have asked. */
  readonly keywords: AskedKeywords | null
}

/** The newest scores, and how much there was at that moment of what decides what the sources of scans say. */
export interface NewestWithSources {
  readonly newest: NewestScores | null
  readonly state: SourceState
}

/** A completed scan before another one. */
export interface EarlierScan {
  readonly scan: Scan
  /** Answers behind its newest score of the versions that were asked for; null without one. */
  readonly measuredCount: number | null
}

/** A scan as a detail uses it: a score of the same versions with more answers makes another detail. */
export interface DetailScan {
  readonly id: ScanId
  readonly measuredCount: number
}

/** What is kept beside a score, so that it need not be formed of all answers again. */
export interface KeptDetail {
  /** The scans that it is formed of, oldest first, the score's own last. */
  readonly scans: ReadonlyArray<DetailScan>
  readonly detail: ScoreDetail
  /** Of earlier scans that were measured like it: whether they share enough cells with it for a trend. */
  readonly series: ReadonlyMap<ScanId, boolean>
}

export class ScoreStore extends Context.Service<ScoreStore, {
  /**
   * Adds the score; an equal one (same scan, versions and number of answers) is left as it is. What `keepDetail` kept
   * is forgotten.
   */
  readonly insert: (organizationId: OrganizationId, score: Score, at: Date) => Effect.Effect<void, StoreError>
  /** The newest score of one scan, or the one of exactly these versions. */
  readonly ofScan: (
    organizationId: OrganizationId,
    scanId: ScanId,
    versions?: Pick<Score, "measureVersion" | "trackedSetVersion">
  ) => Effect.Effect<Score | null, StoreError>
  /**
   * The newest score of each of these scans, or the one of exactly these versions; in any order. A scan without one is
   * left out.
   */
  readonly ofScans: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>,
    versions?: Pick<Score, "measureVersion" | "trackedSetVersion">
  ) => Effect.Effect<ReadonlyArray<Score>, StoreError>
  /** The scan that `headline` gives of each of these organizations; one without is left out. */
  readonly newestOf: (
    organizationIds: ReadonlyArray<OrganizationId>
  ) => Effect.Effect<ReadonlyMap<OrganizationId, ScoredScan>, StoreError>
  /**
   * Completed scans of the standard view, or of the view of this name, with their newest score, newest first
   * (`startedAt desc, id desc`); only those started at `since` or later and at `until` or before, where these are
   * given.
   */
  readonly history: (
    organizationId: OrganizationId,
    limit: number,
    since?: Date | null,
    until?: Date | null,
    view?: string | null
  ) => Effect.Effect<ReadonlyArray<ScoredScan>, StoreError>
  /**
   * The newest completed scan of the standard view with a score that asked everything, with its newest score. Where no
   * scan of the newest one's kind (simulated or real) did, the newest. Bounds are those of `history`.
   */
  readonly headline: (
    organizationId: OrganizationId,
    since?: Date | null,
    until?: Date | null
  ) => Effect.Effect<ScoredScan | null, StoreError>
  /**
   * Up to `limit` completed scans before this one, of its kind (simulated or real), surface and view, newest first
   * (`startedAt desc, id desc`); with `wholeOnly` those that asked everything.
   */
  readonly listBefore: (
    organizationId: OrganizationId,
    scan: Scan,
    versions: Pick<Score, "measureVersion" | "trackedSetVersion">,
    limit: number,
    wholeOnly?: boolean
  ) => Effect.Effect<ReadonlyArray<EarlierScan>, StoreError>
  /**
   * What `keepDetail` keeps of this score; null when it is another one's, or was formed by other rules
   * (`scoreDetailVersion`).
   */
  readonly findDetail: (
    organizationId: OrganizationId,
    score: Pick<Score, "scanId" | "measureVersion" | "trackedSetVersion">
  ) => Effect.Effect<KeptDetail | null, StoreError>
  /** Keeps the detail of a score in place of any other that is kept of the organization. */
  readonly keepDetail: (
    organizationId: OrganizationId,
    score: Pick<Score, "scanId" | "measureVersion" | "trackedSetVersion">,
    kept: KeptDetail
  ) => Effect.Effect<void, StoreError>
  /**
   * What `headline` gives, and the headline before it; null before the first. One statement at most: this is asked
   * again and again, and one may answer several callers. It begins after the call.
   */
  readonly newest: (organizationId: OrganizationId) => Effect.Effect<NewestScores | null, StoreError>
  /**
   * What `newest` gives, and `stateOf` of SourceStore gives for these scans, in one statement, likewise. `before` is
   * that state as it was read last: it says how much there is to count, so that a large organization is read alone.
   */
  readonly newestWithSources: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>,
    before: SourceState
  ) => Effect.Effect<NewestWithSources, StoreError>
}>()("@sov/core/ports/ScoreStore") {}
