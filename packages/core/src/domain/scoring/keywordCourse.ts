/** How the share of one keyword went over scans that were measured alike, and how sure it is. */
import type { KeywordId, ScanId } from "../ids.ts"
import { averageCells, groupIntoCells, type ScoredRow, scoreRow, type Share } from "./cells.ts"
import { type Interval, samplingInterval } from "./intervals.ts"

/** A measured answer of one of several scans. */
export type RowOfScan = ScoredRow & { readonly scanId: ScanId }

/** The share of one keyword over all platforms that answered it, 0–100 and unrounded. */
export interface KeywordCourse {
  /** Of the newest scan; null where that has no answer to it. */
  readonly sov: number | null
  /** One a scan, oldest first; null where it has no answer. */
  readonly course: ReadonlyArray<number | null>
  /**
   * The last scans with an answer together: one scan has few answers to a question, so an interval takes several. It
   * says what the answers to exactly this question vary by (`samplingInterval`, whose samples are the scans), if
   * nothing changes from scan to scan; null where no answer differs from another of its platform. Null as a whole
   * without any answer.
   */
  readonly recent: {
    readonly sov: number
    readonly interval: Interval | null
    readonly scans: number
    readonly answers: number
  } | null
}

/** Scans that are taken together. */
const maxRecentScans = 5

const averageRows = (rows: ReadonlyArray<ScoredRow>, share: Share): number | null =>
  averageCells(groupIntoCells(rows), share)

/** The course of one keyword; `rows` are its own, `scanIds` the scans, oldest first. */
export const makeKeywordCourse = (rows: ReadonlyArray<RowOfScan>, scanIds: ReadonlyArray<ScanId>): KeywordCourse => {
  const byScan = Map.groupBy(rows, ({ scanId }) => scanId)
  const course = scanIds.map((id) => averageRows(byScan.get(id) ?? [], scoreRow))
  const answered = scanIds.filter((id) => byScan.has(id)).slice(-maxRecentScans)
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

/** The same for several keywords. */
export const makeKeywordCourses = (
  rows: ReadonlyArray<RowOfScan>,
  scanIds: ReadonlyArray<ScanId>
): ReadonlyMap<KeywordId, KeywordCourse> =>
  new Map(
    [...Map.groupBy(rows, ({ keywordId }) => keywordId)].map(([id, own]) => [id, makeKeywordCourse(own, scanIds)])
  )
