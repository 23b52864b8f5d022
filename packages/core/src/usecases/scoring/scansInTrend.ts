import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import { findCommonCells, hasEnoughCellsForTrend, haveEnoughCellsForTrend } from "../../domain/scoring/commonCells.ts"
import { keywordStatuses } from "../../domain/tracking/Keyword.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { MeasurementStore, type MeasurementVersions } from "../../ports/MeasurementStore.ts"
import type { ScoredScan } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { hasSameVersions, readHeadlines } from "./readHeadlines.ts"

/** Whether pairs of scans share enough for a trend: once both are measured, that never changes. */
const known = new Map<string, boolean>()
const maxKnown = 20_000

/** Which of the scans, all measured with these versions, share enough of their headline's cells with the first one. */
const findSharing = Effect.fnUntraced(
  function*(
    organizationId: OrganizationId,
    scanId: ScanId,
    others: ReadonlyArray<ScanId>,
    versions: MeasurementVersions
  ) {
    const set = (yield* (yield* TrackedSetStore).find(organizationId, versions.trackedSetVersion))!
    const branded = brandedAmong(set, yield* (yield* KeywordStore).list(organizationId, keywordStatuses))
    const counts = yield* (yield* MeasurementStore).countCommonCells(organizationId, scanId, others, [...branded])
    const own = counts.get(scanId)
    // Headlines of branded questions alone are rare: they are formed to be compared
    if (own === undefined || others.some((id) => !counts.has(id))) {
      const { cellsOf } = yield* readHeadlines(organizationId, [scanId, ...others], versions)
      return new Set(others.filter((id) => hasEnoughCellsForTrend(findCommonCells(cellsOf(id), cellsOf(scanId)))))
    }
    return new Set(others.filter((id) => {
      const { cells, common } = counts.get(id)!
      return haveEnoughCellsForTrend(common, Math.max(cells, own.cells))
    }))
  }
)

/**
 * Those of `earlier` scans that form one series with a scan, as a sparkline shows it: both simulated or both real, measured
 * with the same names and rules, and with enough cells in common for a trend. In the order given.
 */
export const scansInTrend = Effect.fn("scansInTrend")(
  function*(organizationId: OrganizationId, { scan, score }: ScoredScan, earlier: ReadonlyArray<ScoredScan>) {
    const alike = earlier.filter((one) => one.scan.simulated === scan.simulated && hasSameVersions(one.score, score))
    const keyOf = (id: ScanId) => [organizationId, scan.id, id, score.measureVersion, score.trackedSetVersion].join(" ")
    const missing = alike.map((one) => one.scan.id).filter((id) => !known.has(keyOf(id)))
    if (missing.length > 0) {
      const sharing = yield* findSharing(organizationId, scan.id, missing, score)
      if (known.size + missing.length > maxKnown) known.clear()
      for (const id of missing) known.set(keyOf(id), sharing.has(id))
    }
    return alike.filter((one) => known.get(keyOf(one.scan.id)) === true)
  }
)
