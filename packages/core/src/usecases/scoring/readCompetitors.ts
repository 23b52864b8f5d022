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

/** Whom an organization compares itself with, and how they stand. */
export interface Competitors {
  /** As it is now. */
  readonly trackedSet: TrackedSet
  /** The scan that the shares are of; null if absent. */
  readonly scan: Scan | null
  /** Names as they were when that scan was measured. */
  readonly named: ReadonlyArray<NamedStanding>
  /** How they moved since the scan or the period before; null where that cannot be compared. */
  readonly comparison: Comparison | null
  /** Null for the shares of one scan. */
  readonly period: PeriodFacts | null
  /** How many of the last scored scans are measured with other names or rules than the present ones. */
  readonly measuredOtherwise: number
}

/** Scored scans that are looked at for how they were measured. */
const maxExamined = 100

/**
 * Reads brand and competitors with their shares in the newest scored scan that the window shows, and the course of at
 * most `scans` before it; with `periods` in a period. Fails with NotReady before there is a brand.
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
