/** Details of scores: read from memory, or from the stored detail, or formed from the measured answers. */
import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Score } from "../../domain/scoring/Score.ts"
import { formScoreDetail, type ScoreDetail } from "../../domain/scoring/scoreDetail.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { type DetailScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { readHeadlines } from "./readHeadlines.ts"
import { rememberSeries } from "./scansInTrend.ts"

/** The limit of keywords in the details in memory: about 15 MB. */
const maxKeywords = 20_000

const known = new Map<string, ScoreDetail>()
let size = 0

/** What was put first goes first. */
const remember = (key: string, detail: ScoreDetail) => {
  known.set(key, detail)
  size += detail.keywords.length
  for (const [oldest, { keywords }] of known) {
    if (size <= maxKeywords || oldest === key) break
    known.delete(oldest)
    size -= keywords.length
  }
}

const formatScans = (scans: ReadonlyArray<DetailScan>): string =>
  scans.map(({ id, measuredCount }) => `${id}:${measuredCount}`).join(" ")

/** Forms a detail from the measured answers of these scans, oldest first, the score's own last. */
const formDetail = Effect.fnUntraced(
  function*(organizationId: OrganizationId, scans: ReadonlyArray<DetailScan>, score: Score, set: TrackedSet) {
    const scanIds = scans.map(({ id }) => id)
    const { cellsOf, keywords } = yield* readHeadlines(organizationId, scanIds, score)
    return formScoreDetail(score, set, scanIds.map(cellsOf), keywords)
  }
)

/**
 * Reads the detail of a score. `scans` are the scans that it is formed of, oldest first, the score's own last: scans
 * that have a score of the same versions, whose tracked set `set` is.
 */
export const readScoreDetail = Effect.fnUntraced(
  function*(organizationId: OrganizationId, scans: ReadonlyArray<DetailScan>, score: Score, set: TrackedSet) {
    // A restored archive repeats ids, and each scan gets another score when more of it is measured
    const { measureVersion, resultsCount, trackedSetVersion } = score
    const made = formatScans(scans)
    const key = [organizationId, measureVersion, trackedSetVersion, resultsCount, made].join(" ")
    const found = known.get(key)
    if (found !== undefined) return found
    const kept = yield* (yield* ScoreStore).findDetail(organizationId, score)
    if (kept !== null) rememberSeries(organizationId, score, kept.series)
    // A history window shows fewer scans, and a rescore has measured more of them alike
    const isSame = kept !== null && formatScans(kept.scans) === made
    const detail = isSame ? kept.detail : yield* formDetail(organizationId, scans, score, set)
    // Others may have read the same meanwhile
    if (!known.has(key)) remember(key, detail)
    return detail
  }
)
