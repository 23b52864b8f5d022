import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { AskedKeywords } from "../../domain/scoring/asked.ts"
import { findCommonCells } from "../../domain/scoring/commonCells.ts"
import type { ComparedCells } from "../../domain/scoring/describeTrend.ts"
import { scoreRow } from "../../domain/scoring/Score.ts"
import { type Change, measureChange, pairedTrend } from "../../domain/scoring/trend.ts"
import { type NewestScores, type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { NoCompletedScan } from "../errors.ts"
import { findPreviousScan } from "../measuring/measureScan.ts"
import { hasSameVersions, readHeadlines } from "./readHeadlines.ts"

/** Change of the share of voice since an earlier scan, over the cells that were answered in both. */
export interface ShareChange extends ComparedCells {
  readonly trend: ReturnType<typeof pairedTrend>
  /** Every platform of the common cells; empty when `trend` is null. */
  readonly platforms: ReadonlyArray<Change & { readonly id: PlatformId }>
}

/** The brand's present visibility and its change. */
export interface Visibility {
  readonly latest: ScoredScan
  /** `NewestScores.keywords` */
  readonly keywords: AskedKeywords | null
  /** The completed scan before it, of its kind; null when there is none. */
  readonly previous: Scan | null
  /** Null without an earlier scan, or when that was measured with other names or rules. */
  readonly since: ShareChange | null
}

/**
 * By organization (a restored archive repeats ids), scans, versions and number of measured answers, which determine the
 * change; clients poll for it.
 */
const shareChanges = new Map<string, ShareChange>()
const maxCached = 1_000

const readShareChange = Effect.fnUntraced(
  function*(organizationId: OrganizationId, latest: ScoredScan, previous: ScoredScan) {
    const { measureVersion, trackedSetVersion } = latest.score
    const measured = [previous, latest].flatMap(({ scan, score }) => [
      scan.id,
      score.resultsCount - score.unmeasuredCount
    ])
    const key = [organizationId, ...measured, measureVersion, trackedSetVersion].join(" ")
    const known = shareChanges.get(key)
    if (known !== undefined) return known
    const { cellsOf } = yield* readHeadlines(organizationId, [previous.scan.id, latest.scan.id], latest.score)
    const common = findCommonCells(cellsOf(previous.scan.id), cellsOf(latest.scan.id))
    const trend = pairedTrend(common, scoreRow)
    const cells = trend === null ? [] : common.cells
    const since: ShareChange = {
      nCells: common.cells.length,
      ofCells: common.of,
      trend,
      platforms: [...Map.groupBy(cells, (cell) => cell.after.platform)].map(([id, its]) => ({
        id,
        ...measureChange(its, scoreRow)
      }))
    }
    if (shareChanges.size >= maxCached) shareChanges.clear()
    shareChanges.set(key, since)
    return since
  }
)

/** The newest of these scores and its change since the one before. Fails with NoCompletedScan without one. */
export const compareNewest = Effect.fnUntraced(function*(organizationId: OrganizationId, newest: NewestScores | null) {
  if (newest === null) return yield* new NoCompletedScan()
  const { keywords, latest, second } = newest
  const found: Visibility = { latest, keywords, previous: null, since: null }
  if (second === null) return found
  // Real and simulated scans may stand side by side
  const previous = second.scan.simulated === latest.scan.simulated
    ? second.scan
    : yield* findPreviousScan(organizationId, latest.scan)
  if (previous === null) return found
  const score = previous === second.scan && hasSameVersions(second.score, latest.score)
    ? second.score
    : yield* (yield* ScoreStore).ofScan(organizationId, previous.id, latest.score)
  if (score === null) return { ...found, previous }
  return { ...found, previous, since: yield* readShareChange(organizationId, latest, { scan: previous, score }) }
})

/** The most recent completed scan and its change since the one before. Fails with NoCompletedScan before the first. */
export const readVisibility = Effect.fn("readVisibility")(function*(organizationId: OrganizationId) {
  return yield* compareNewest(organizationId, yield* (yield* ScoreStore).newest(organizationId))
})
