/** The cells behind several scores at once. */
import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import { brandedAmong } from "../domain/measuring/measureAnswer.ts"
import type { Score } from "../domain/Score.ts"
import { headlineCells, type ScoredCell } from "../domain/scoring/cells.ts"
import { MeasurementStore } from "../ports/MeasurementStore.ts"

/** Whether two scores were formed with the same names and rules. */
export const measuredAlike = (a: Score, b: Score): boolean =>
  a.measureVersion === b.measureVersion && a.trackedSetVersion === b.trackedSetVersion

/** Reads the cells behind the headlines of scans that were measured with the versions of `score`, in one statement. */
export const readHeadlines = Effect.fnUntraced(
  function*(organizationId: OrganizationId, scanIds: ReadonlyArray<ScanId>, score: Score) {
    const { keywords, rows, trackedSet } =
      (yield* (yield* MeasurementStore).rowsOfScans(organizationId, scanIds, score))!
    const branded = brandedAmong(trackedSet, keywords)
    const byScan = Map.groupBy(rows, (row) => row.scanId)
    return (id: ScanId): ReadonlyArray<ScoredCell> => headlineCells(byScan.get(id) ?? [], branded).cells
  }
)
