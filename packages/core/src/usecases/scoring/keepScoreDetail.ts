import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { wholeHistory } from "../../domain/organizations/HistoryWindow.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { findDetailScans } from "./readMovements.ts"
import { readHeadlineHistory } from "./reads.ts"
import { readScoreDetail } from "./readScoreDetail.ts"
import { isInSeries, scansInTrend } from "./scansInTrend.ts"

/** Number of scans in the dashboard's trend. */
const seriesScans = 30

/**
 * Computes the detail of the newest score and stores it beside the score, so that the first reader need not wait for
 * it. A detail that is not stored is computed when it is read.
 */
export const keepScoreDetail = Effect.fn("keepScoreDetail")(function*(organizationId: OrganizationId) {
  const store = yield* ScoreStore
  const { scans: [latest, ...earlier] } = yield* readHeadlineHistory(organizationId, seriesScans)
  if (latest === undefined) return
  const { scans } = yield* findDetailScans(organizationId, wholeHistory, latest.scan, latest.score)
  const detail = yield* readScoreDetail(organizationId, scans, latest.score)
  const inTrend = new Set(yield* scansInTrend(organizationId, latest, earlier))
  const alike = earlier.filter((one) => isInSeries(one, latest))
  const series = new Map(alike.map((one) => [one.scan.id, inTrend.has(one)]))
  yield* store.keepDetail(organizationId, latest.score, { scans, detail, series })
})
