/** Reads details of scores: from memory, from the stored detail, or computed from the measured answers. */
import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Score } from "../../domain/scoring/Score.ts"
import { formScoreDetail, type ScoreDetail } from "../../domain/scoring/scoreDetail.ts"
import { type DetailScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { makeMemory } from "../makeMemory.ts"
import { readHeadlines } from "./readHeadlines.ts"
import { rememberSeries } from "./scansInTrend.ts"

/** Caches details with up to 20,000 keywords, which take about 15 MB. */
const memories = makeMemory<ScoreDetail>(20_000, ({ keywords }) => keywords.length)

const formatScans = (scans: ReadonlyArray<DetailScan>): string =>
  scans.map(({ id, measuredCount }) => `${id}:${measuredCount}`).join(" ")

/** Computes a detail from the measured answers of these scans, oldest first, the score's own scan last. */
const formDetail = Effect.fnUntraced(
  function*(organizationId: OrganizationId, scans: ReadonlyArray<DetailScan>, score: Score) {
    const scanIds = scans.map(({ id }) => id)
    const set = (yield* (yield* TrackedSetStore).find(organizationId, score.trackedSetVersion))!
    const { cellsOf, keywords } = yield* readHeadlines(organizationId, scanIds, score)
    return formScoreDetail(score, set, scanIds.map(cellsOf), keywords)
  }
)

/**
 * Reads the detail of a score. `scans` are the scans that it compares, oldest first, the score's own scan last; each
 * has a score of the same versions.
 */
export const readScoreDetail = Effect.fnUntraced(
  function*(organizationId: OrganizationId, scans: ReadonlyArray<DetailScan>, score: Score) {
    // The key also contains the number of answers: a restored archive repeats ids, and a scan gets another score when
    // more of it is measured
    const { measureVersion, resultsCount, trackedSetVersion } = score
    const made = formatScans(scans)
    const key = [organizationId, measureVersion, trackedSetVersion, resultsCount, made].join(" ")
    const memory = memories.of(yield* TrackedSetStore)
    const found = memory.find(key)
    if (found !== undefined) return found
    const kept = yield* (yield* ScoreStore).findDetail(organizationId, score)
    if (kept !== null) yield* rememberSeries(organizationId, score, kept.series)
    // The scans must be the same: a history window shows fewer scans, and a rescore adds scans with the same versions
    const isSame = kept !== null && formatScans(kept.scans) === made
    const detail = isSame ? kept.detail : yield* formDetail(organizationId, scans, score)
    memory.keep(key, detail)
    return detail
  }
)
