import { Effect } from "effect"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import { type HistoryWindow, laterBegin } from "../../domain/organizations/HistoryWindow.ts"
import type { Period } from "../../domain/scoring/Period.ts"
import type { Keyword } from "../../domain/tracking/Keyword.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { isMeasuredAlike } from "../scoring/scansInTrend.ts"

/** Maximum number of scans in the course of a keyword. */
const maxScans = 12
/** Maximum number of completed scans that are searched for scans that were measured like the newest one. */
const maxExamined = 50

/**
 * The newest scans within the window that were measured like the newest one, oldest first, with their answers to these
 * keywords; only those of `period`, if it is given. Null if the window contains no scored scan. Includes narrowed
 * scans.
 */
export const readKeywordScans = Effect.fnUntraced(
  function*(
    organizationId: OrganizationId,
    window: HistoryWindow,
    keywordIds: ReadonlyArray<KeywordId>,
    period: Period | null = null
  ) {
    const since = laterBegin(window, period?.from ?? null)
    const [latest, ...earlier] = yield* (yield* ScoreStore).history(organizationId, maxExamined, since, period?.to)
    if (latest === undefined) return null
    const alike = earlier.filter((one) => isMeasuredAlike(one, latest))
    const scans = [latest, ...alike].slice(0, period === null ? maxScans : maxExamined).map(({ scan }) => scan)
      .toReversed()
    const ids = scans.map(({ id }) => id)
    const { keywords, rows } =
      (yield* (yield* MeasurementStore).rowsOfScans(organizationId, ids, latest.score, keywordIds))!
    const trackedSet = (yield* (yield* TrackedSetStore).find(organizationId, latest.score.trackedSetVersion))!
    const branded = (asked: ReadonlyArray<Pick<Keyword, "id" | "text">>) => brandedAmong(trackedSet, asked)
    return { scans, ids, rows, keywords, trackedSet, branded }
  }
)
