/** ScoreStore keeps the scores of ended scans, one per measure version and tracked-set version. */
import { Context, type Effect } from "effect"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import type { Scan } from "../domain/scanning/Scan.ts"
import type { AskedKeywords } from "../domain/scoring/asked.ts"
import type { Score } from "../domain/scoring/Score.ts"
import type { StoreError } from "./StoreError.ts"

/** A completed scan with its newest score. */
export interface ScoredScan {
  readonly scan: Scan
  readonly score: Score
}

export class ScoreStore extends Context.Service<ScoreStore, {
  /** Adds the score; an equal one (same scan and versions) is left as it is. */
  readonly insert: (organizationId: OrganizationId, score: Score, at: Date) => Effect.Effect<void, StoreError>
  /** The newest score of one scan, or the one of exactly these versions. */
  readonly ofScan: (
    organizationId: OrganizationId,
    scanId: ScanId,
    versions?: Pick<Score, "measureVersion" | "trackedSetVersion">
  ) => Effect.Effect<Score | null, StoreError>
  /** The newest score of each of these scans, in any order; a scan without one is left out. */
  readonly ofScans: (
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>
  ) => Effect.Effect<ReadonlyArray<Score>, StoreError>
  /** The newest completed scan of each of these organizations with its newest score; one without is left out. */
  readonly newestOf: (
    organizationIds: ReadonlyArray<OrganizationId>
  ) => Effect.Effect<ReadonlyMap<OrganizationId, ScoredScan>, StoreError>
  /**
   * Completed scans with their newest score, newest first (`startedAt desc, id desc`); only those started at `since` or later
   * where it is given.
   */
  readonly history: (
    organizationId: OrganizationId,
    limit: number,
    since?: Date | null
  ) => Effect.Effect<ReadonlyArray<ScoredScan>, StoreError>
  /**
   * The two newest completed scans as `history` has them, and of the keywords that are active now, how many the newest
   * asked; null before the first. One statement: this is asked again and again.
   */
  readonly newest: (organizationId: OrganizationId) => Effect.Effect<
    { readonly latest: ScoredScan; readonly second: ScoredScan | null; readonly keywords: AskedKeywords } | null,
    StoreError
  >
}>()("@sov/core/ports/ScoreStore") {}
