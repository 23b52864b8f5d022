/** The cells behind several scores at once. */
import { Effect } from "effect"
import type { KeywordId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import { selectHeadlineCells } from "../../domain/scoring/cells.ts"
import { findTopics } from "../../domain/scoring/topics.ts"
import { MeasurementStore, type MeasurementVersions } from "../../ports/MeasurementStore.ts"

/** Whether two scores were computed with the same names and rules. */
export const hasSameVersions = (a: MeasurementVersions, b: MeasurementVersions): boolean =>
  a.measureVersion === b.measureVersion && a.trackedSetVersion === b.trackedSetVersion

/**
 * Reads the rows of scans that were measured with these versions, the keywords that they answer, which of these name
 * the brand, and their topics, in one statement; with `keywordIds`, only those of these keywords.
 */
export const readRows = Effect.fnUntraced(
  function*(
    organizationId: OrganizationId,
    scanIds: ReadonlyArray<ScanId>,
    versions: MeasurementVersions,
    keywordIds?: ReadonlyArray<KeywordId>
  ) {
    const { keywords, rows, trackedSet } =
      (yield* (yield* MeasurementStore).rowsOfScans(organizationId, scanIds, versions, keywordIds))!
    const byScan = Map.groupBy(rows, (row) => row.scanId)
    return {
      keywords,
      rows,
      rowsOf: (id: ScanId) => byScan.get(id) ?? [],
      branded: brandedAmong(trackedSet, keywords),
      topics: findTopics(keywords, trackedSet)
    }
  }
)

/**
 * Reads the headline cells of scans that were measured with these versions, and their answered keywords; with
 * `keywordIds`, only those of these keywords.
 */
export const readHeadlines = (...scans: Parameters<typeof readRows>) =>
  Effect.map(readRows(...scans), ({ branded, keywords, rowsOf, topics }) => ({
    keywords,
    cellsOf: (id: ScanId) => selectHeadlineCells(rowsOf(id), branded, topics).cells
  }))

/** Reads the cells of one headline. */
export const readHeadline = (organizationId: OrganizationId, scanId: ScanId, versions: MeasurementVersions) =>
  Effect.map(readHeadlines(organizationId, [scanId], versions), ({ cellsOf }) => cellsOf(scanId))
