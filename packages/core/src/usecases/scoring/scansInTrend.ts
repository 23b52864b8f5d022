import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { findCommonCells, hasEnoughCellsForTrend } from "../../domain/scoring/commonCells.ts"
import type { ScoredScan } from "../../ports/ScoreStore.ts"
import { hasSameVersions, readHeadlines } from "./readHeadlines.ts"

/**
 * Those of `earlier` scans that form one series with a scan, as a sparkline shows it: both simulated or both real, measured
 * with the same names and rules, and with enough cells in common for a trend. In the order given.
 */
export const scansInTrend = Effect.fn("scansInTrend")(
  function*(organizationId: OrganizationId, { scan, score }: ScoredScan, earlier: ReadonlyArray<ScoredScan>) {
    const alike = earlier.filter((one) => one.scan.simulated === scan.simulated && hasSameVersions(one.score, score))
    if (alike.length === 0) return []
    const { cellsOf } = yield* readHeadlines(organizationId, [scan.id, ...alike.map((one) => one.scan.id)], score)
    const current = cellsOf(scan.id)
    return alike.filter((one) => hasEnoughCellsForTrend(findCommonCells(cellsOf(one.scan.id), current)))
  }
)
