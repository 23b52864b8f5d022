import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { areComparable, commonCells } from "../../domain/scoring/trend.ts"
import type { ScoredScan } from "../../ports/ScoreStore.ts"
import { measuredAlike, readHeadlines } from "./readHeadlines.ts"

/**
 * Those of `earlier` scans that have enough in common with a scan to stand beside it in one line: of its kind, measured
 * like it, and comparable by their cells. In the order given.
 */
export const comparableScans = Effect.fn("comparableScans")(
  function*(organizationId: OrganizationId, { scan, score }: ScoredScan, earlier: ReadonlyArray<ScoredScan>) {
    const alike = earlier.filter((one) => one.scan.simulated === scan.simulated && measuredAlike(one.score, score))
    if (alike.length === 0) return []
    const { cellsOf } = yield* readHeadlines(organizationId, [scan.id, ...alike.map((one) => one.scan.id)], score)
    const current = cellsOf(scan.id)
    return alike.filter((one) => areComparable(commonCells(cellsOf(one.scan.id), current)))
  }
)
