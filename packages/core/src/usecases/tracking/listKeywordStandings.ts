import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import { type KeywordCourse, makeKeywordCourses } from "../../domain/scoring/keywordCourse.ts"
import type { Period } from "../../domain/scoring/Period.ts"
import type { KeywordSummary } from "../../ports/KeywordStore.ts"
import type { PageOptions } from "../readPage.ts"
import { type KeywordQuery, listKeywords } from "./listKeywords.ts"
import { readKeywordScans } from "./readKeywordScans.ts"
import { readKeywords } from "./reads.ts"
import { readTags } from "./readTags.ts"

/** A keyword as a list shows it. */
export interface KeywordListRow extends KeywordCourse {
  /** The keyword, without its last answer if that is older than the window. */
  readonly summary: KeywordSummary
  /** Whether the question itself names the brand, so that it does not count in the headline. */
  readonly branded: boolean
  readonly tags: ReadonlyArray<string>
}

const noCourse: KeywordCourse = { sov: null, course: [], recent: null }

const keepToWindow = (window: HistoryWindow, summary: KeywordSummary): KeywordSummary =>
  summary.lastScannedAt === null || isInWindow(window, summary.lastScannedAt)
    ? summary
    : { ...summary, lastScannedAt: null, lastMentioned: null }

/**
 * Up to `limit` keywords, paged like `listKeywords`, each with its share, and the number of keywords by status. With a
 * `period`, the scans of that period are combined instead of the last five.
 */
export const listKeywordStandings = Effect.fn("listKeywordStandings")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  query: KeywordQuery,
  options: PageOptions,
  period: Period | null = null
) {
  const { nextCursor, rows } = yield* listKeywords(organizationId, query, options)
  const listed = rows.map(({ keyword }) => keyword)
  const found = yield* readKeywordScans(organizationId, window, listed.map(({ id }) => id), period)
  const courses = found === null
    ? new Map()
    : makeKeywordCourses(found.rows, found.ids, period === null ? undefined : found.ids.length)
  const branded = found?.branded(listed) ?? new Set()
  const tags = yield* readTags(organizationId)
  const all = Map.groupBy(yield* readKeywords(organizationId), ({ status }) => status)
  return {
    rows: rows.map((summary): KeywordListRow => ({
      summary: keepToWindow(window, summary),
      branded: branded.has(summary.keyword.id),
      tags: tags.get(summary.keyword.id) ?? [],
      ...courses.get(summary.keyword.id) ?? noCourse
    })),
    nextCursor,
    counts: {
      active: all.get("active")?.length ?? 0,
      paused: all.get("paused")?.length ?? 0,
      archived: all.get("archived")?.length ?? 0
    },
    /** The scans of the courses, oldest first. */
    scans: found?.scans ?? []
  }
})
