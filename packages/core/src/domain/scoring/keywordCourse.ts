/** The share of one keyword over several scans with the same names and rules, with its uncertainty. */
import type { KeywordId, ScanId } from "../ids.ts"
import { averageCells, groupIntoCells, type ScoredRow, scoreRow, type Share } from "./cells.ts"
import { type Interval, samplingInterval } from "./intervals.ts"

/** A measured answer with the id of its scan. */
export type RowOfScan = ScoredRow & { readonly scanId: ScanId }

/** The share of one keyword over all platforms with an answer, 0–100, unrounded. */
export interface KeywordCourse {
  /** Share in the newest scan; null if it has no answer. */
  readonly sov: number | null
  /** Share in each scan, oldest first; null for a scan without an answer. */
  readonly course: ReadonlyArray<number | null>
  /**
   * The last scans with an answer, combined, because one scan has too few answers for an interval. The interval is a
   * `samplingInterval` with the scans as samples and assumes that nothing changes between them; it is null if no two
   * answers of a platform differ. `recent` is null if there is no answer.
   */
  readonly recent: {
    readonly sov: number
    readonly interval: Interval | null
    readonly scans: number
    readonly answers: number
  } | null
}

/** Maximum number of scans that `recent` combines. */
const maxRecentScans = 5

const averageRows = (rows: ReadonlyArray<ScoredRow>, share: Share): number | null =>
  averageCells(groupIntoCells(rows), share)

/**
 * Computes the course of one keyword from its rows. `scanIds` are the scans, oldest first; `recent` combines up to
 * `combined` of them.
 */
export const makeKeywordCourse = (
  rows: ReadonlyArray<RowOfScan>,
  scanIds: ReadonlyArray<ScanId>,
  combined = maxRecentScans
): KeywordCourse => {
  const byScan = Map.groupBy(rows, ({ scanId }) => scanId)
  const course = scanIds.map((id) => averageRows(byScan.get(id) ?? [], scoreRow))
  const answered = scanIds.filter((id) => byScan.has(id)).slice(-combined)
  const pooled = answered.flatMap((id) => byScan.get(id)!)
  const cells = groupIntoCells(pooled)
  return {
    sov: course.at(-1) ?? null,
    course,
    recent: pooled.length === 0 ? null : {
      sov: averageCells(cells, scoreRow)!,
      interval: samplingInterval(cells, scoreRow),
      scans: answered.length,
      answers: pooled.length
    }
  }
}

/** The courses of several keywords. */
export const makeKeywordCourses = (
  rows: ReadonlyArray<RowOfScan>,
  scanIds: ReadonlyArray<ScanId>,
  combined?: number
): ReadonlyMap<KeywordId, KeywordCourse> =>
  new Map(
    [...Map.groupBy(rows, ({ keywordId }) => keywordId)].map((
      [id, own]
    ) => [id, makeKeywordCourse(own, scanIds, combined)])
  )
