import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { ComparedPeriods, PeriodFacts } from "../../domain/scoring/Period.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { NotReady } from "../errors.ts"
import type { Comparison } from "./compareScans.ts"
import { listNamedStandings, type NamedStanding } from "./namedStandings.ts"
import { readPeriodReport } from "./readPeriodReport.ts"
import { readScoreReport } from "./readScoreReport.ts"

/** The brand and competitors of an organization, and their shares. */
export interface Competitors {
  /** The current tracked set. */
  readonly trackedSet: TrackedSet
  /** The scan that the shares come from; null if there is no such scan. */
  readonly scan: Scan | null
  /** The names as they were when that scan was measured. */
  readonly named: ReadonlyArray<NamedStanding>
  /** Changes since the previous scan or period; null if they cannot be compared. */
  readonly comparison: Comparison | null
  /** Null if the shares are those of one scan. */
  readonly period: PeriodFacts | null
  /** How many of the last scored scans were measured with names or rules other than the present ones. */
  readonly measuredOtherwise: number
}

/** Maximum number of scored scans whose measurement versions are examined. */
const maxExamined = 100

/**
 * Reads brand and competitors with their shares in the newest scored scan within the window, and the course of these
 * shares over at most `scans` earlier scans; with `periods`, their shares in a period. Fails with NotReady if no brand
 * is set.
 */
export const readCompetitors = Effect.fn("readCompetitors")(
  function*(
    organizationId: OrganizationId,
    window: HistoryWindow,
    scans: number,
    periods: ComparedPeriods | null = null
  ) {
    const trackedSet = yield* (yield* TrackedSetStore).current(organizationId)
    if (trackedSet === null) return yield* new NotReady({ missing: "brand" })
    const reading = periods === null
      ? readScoreReport(organizationId, window, scans, null)
      : readPeriodReport(organizationId, window, periods, null)
    const report = yield* reading.pipe(
      Effect.catchTag(["NoCompletedScan", "NoScore", "OutsideWindow"], () => Effect.succeed(null))
    )
    const examined = yield* (yield* ScoreStore).history(organizationId, maxExamined, window.since)
    const competitors: Competitors = {
      trackedSet,
      scan: report?.scan ?? null,
      named: report === null ? [] : listNamedStandings(report),
      comparison: report?.movements.comparison ?? null,
      period: report?.period ?? null,
      measuredOtherwise:
        examined.filter(({ score }) =>
          score.trackedSetVersion !== trackedSet.version || score.measureVersion !== measureVersion
        ).length
    }
    return competitors
  }
)
