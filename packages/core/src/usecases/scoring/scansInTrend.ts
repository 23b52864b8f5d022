import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import { isSameKind } from "../../domain/scanning/Scan.ts"
import { isCompared } from "../../domain/scoring/asked.ts"
import { findBreaks } from "../../domain/scoring/breaks.ts"
import { sum } from "../../domain/scoring/cells.ts"
import { findCommonCells, hasEnoughCellsForTrend, haveEnoughCellsForTrend } from "../../domain/scoring/commonCells.ts"
import type { Score } from "../../domain/scoring/Score.ts"
import { keywordStatuses } from "../../domain/tracking/Keyword.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { MeasurementStore, type MeasurementVersions } from "../../ports/MeasurementStore.ts"
import type { ScoredScan } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { makeMemory } from "../makeMemory.ts"
import { hasSameVersions, readHeadlines } from "./readHeadlines.ts"

/** Caches whether pairs of scans share enough cells for a trend, which never changes once both are measured. */
const memories = makeMemory<boolean>(20_000)

const keyOf = (organizationId: OrganizationId, score: Score, other: ScanId): string =>
  [organizationId, score.scanId, other, score.measureVersion, score.trackedSetVersion].join(" ")

/** Caches which scans share enough cells with a score's scan. */
export const rememberSeries = Effect.fnUntraced(
  function*(organizationId: OrganizationId, score: Score, found: ReadonlyMap<ScanId, boolean>) {
    const memory = memories.of(yield* TrackedSetStore)
    for (const [id, isSharing] of found) memory.keep(keyOf(organizationId, score, id), isSharing)
  }
)

/**
 * Finds which of the other scans, all measured with these versions, share enough of their headline's cells with the
 * first scan.
 */
const findSharing = Effect.fnUntraced(
  function*(
    organizationId: OrganizationId,
    scanId: ScanId,
    others: ReadonlyArray<ScanId>,
    versions: MeasurementVersions
  ) {
    const set = (yield* (yield* TrackedSetStore).find(organizationId, versions.trackedSetVersion))!
    const branded = brandedAmong(set, yield* (yield* KeywordStore).list(organizationId, keywordStatuses))
    const counts = yield* (yield* MeasurementStore).countCommonCells(organizationId, scanId, others, [...branded])
    const own = counts.get(scanId)
    // Headlines with only branded questions are rare, so their cells are read and compared
    if (own === undefined || others.some((id) => !counts.has(id))) {
      const { cellsOf } = yield* readHeadlines(organizationId, [scanId, ...others], versions)
      return new Set(others.filter((id) => hasEnoughCellsForTrend(findCommonCells(cellsOf(id), cellsOf(scanId)))))
    }
    return new Set(others.filter((id) => {
      const its = counts.get(id)!
      const broken = findBreaks(its.flatMap(({ origins }) => origins), own.flatMap(({ origins }) => origins))
        .map(({ platform }) => platform)
      const common = sum(its.filter(({ platform }) => !broken.includes(platform)).map((one) => one.common))
      return haveEnoughCellsForTrend(common, Math.max(...[its, own].map((all) => sum(all.map(({ cells }) => cells)))))
    }))
  }
)

/**
 * Whether two scans belong to the same series, are both simulated or both real, and were measured with the same names
 * and rules.
 */
export const isMeasuredAlike = (one: ScoredScan, other: ScoredScan): boolean =>
  isSameKind(one.scan, other.scan) && hasSameVersions(one.score, other.score)

/**
 * Whether an earlier scan may belong to the series of another scan: the series of a complete scan contains no narrowed
 * scans.
 */
export const isInSeries = (one: ScoredScan, latest: ScoredScan): boolean =>
  isMeasuredAlike(one, latest) && isCompared(one.scan, latest.scan)

/**
 * The `earlier` scans that form one series with a scan, as a sparkline shows it: both simulated or both real, measured
 * with the same names and rules, and with enough common cells for a trend. In the given order.
 */
export const scansInTrend = Effect.fn("scansInTrend")(
  function*(organizationId: OrganizationId, latest: ScoredScan, earlier: ReadonlyArray<ScoredScan>) {
    const { score } = latest
    const alike = earlier.filter((one) => isInSeries(one, latest))
    const memory = memories.of(yield* TrackedSetStore)
    // Copied before anything is kept, because a full memory forgets
    const known = new Map(alike.map(({ scan: { id } }) => [id, memory.find(keyOf(organizationId, score, id))]))
    const missing = [...known].flatMap(([id, isSharing]) => isSharing === undefined ? [id] : [])
    if (missing.length > 0) {
      const sharing = yield* findSharing(organizationId, score.scanId, missing, score)
      for (const id of missing) known.set(id, sharing.has(id))
      yield* rememberSeries(organizationId, score, new Map(missing.map((id) => [id, sharing.has(id)])))
    }
    return alike.filter(({ scan }) => known.get(scan.id) === true)
  }
)
