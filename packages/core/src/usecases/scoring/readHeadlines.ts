/** The cells behind several scores at once. */
import { Effect } from "effect"
import type { KeywordId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import { type ScoredCell, selectHeadlineCells } from "../../domain/scoring/cells.ts"
import { findTopics } from "../../domain/scoring/topics.ts"
import { MeasurementStore, type MeasurementVersions } from "../../ports/MeasurementStore.ts"

/** Whether two scores were computed with the same names and rules. */
export const hasSameVersions = (a: MeasurementVersions, b: MeasurementVersions): boolean =>
  a.measureVersion === b.measureVersion && a.trackedSetVersion === b.trackedSetVersion

/**
 * Reads the headline cells of scans that were measured with these versions, and their answered keywords, in one
 * statement; with `keywordIds`, only those of these keywords.
 */
export const readHeadlines = Effect.fnUntraced(
  function*(
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>,
    versions: MeasurementVersions,
    keywordIds?: ReadonlyArray<KeywordId>
  ) {
    const { keywords, rows, trackedSet } =
      (yield* (yield* MeasurementStore).rowsOfScans(organizationId, scanIds, versions, keywordIds))!
    const branded = brandedAmong(trackedSet, keywords)
    const topics = findTopics(keywords, trackedSet)
    const byScan = Map.groupBy(rows, (row) => row.scanId)
    return {
      keywords,
      cellsOf: (id: ScanId): ReadonlyArray<ScoredCell> =>
        selectHeadlineCells(byScan.get(id) ?? [], branded, topics).cells
    }
  }
)

/** Reads the cells of one headline. */
export const readHeadline = (organizationId: OrganizationId, scanId: ScanId, versions: MeasurementVersions) =>
  Effect.map(readHeadlines(organizationId, [scanId], versions), ({ cellsOf }) => cellsOf(scanId))
