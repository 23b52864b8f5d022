/** ScoreStore keeps the scores of ended scans, one per measure version and tracked-set version. */
import { Context, type Effect } from "effect"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import type { Scan } from "../domain/Scan.ts"
import type { Score } from "../domain/Score.ts"
import type { StoreError } from "./StoreError.ts"

export class ScoreStore extends Context.Service<ScoreStore, {
  /** Adds the score; an equal one (same scan and versions) is left as it is. */
  readonly insert: (organizationId: OrganizationId, score: Score, at: Date) => Effect.Effect<void, StoreError>
  /** The newest score of one scan, or the one of exactly these versions. */
  readonly ofScan: (
    organizationId: OrganizationId,
    scanId: ScanId,
    versions?: Pick<Score, "measureVersion" | "trackedSetVersion">
  ) => Effect.Effect<Score | null, StoreError>
  /** Completed scans with their newest score, newest first (`startedAt desc, id desc`). */
  readonly history: (
    organizationId: OrganizationId,
    limit: number
  ) => Effect.Effect<ReadonlyArray<{ readonly scan: Scan; readonly score: Score }>, StoreError>
}>()("@sov/core/ports/ScoreStore") {}
