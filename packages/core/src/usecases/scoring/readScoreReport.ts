import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { describeSurface } from "../../domain/platforms/surface.ts"
import type { CellCounts } from "../../domain/scanning/Cell.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { type Asked, type ConfiguredPlatform, summarizeAsked } from "../../domain/scoring/asked.ts"
import type { Origin } from "../../domain/scoring/breaks.ts"
import type { PeriodFacts } from "../../domain/scoring/Period.ts"
import type { Score } from "../../domain/scoring/Score.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { NoCompletedScan, NoScore, OutsideWindow } from "../errors.ts"
import { hasUnscored } from "../measuring/rescore.ts"
import { type Movements, readMovements } from "./readMovements.ts"
import { readOrigins } from "./readOrigins.ts"
import { readHeadlineHistory } from "./reads.ts"
import { scansInTrend } from "./scansInTrend.ts"

/**
 * The headline scan (`readHeadlineHistory`) with its score, the tracked set of that time, its movements, and the scores
 * before it.
 */
export interface ScoreReport {
  readonly scan: Scan
  readonly score: Score
  readonly counts: ReadonlyArray<CellCounts>
  readonly trackedSet: TrackedSet
  readonly movements: Movements
  /** What the scan asked out of the platforms and keywords at its start (`summarizeAsked`). */
  readonly asked: Asked
  /** Comparable scores up to this one, oldest first. */
  readonly history: ReadonlyArray<Score>
  /** The completed scans that were examined, newest first: this scan and earlier ones, comparable or not. */
  readonly examined: ReadonlyArray<ScoredScan>
  /** The origins of the answers of these scans, by id. */
  readonly origins: ReadonlyMap<string, ReadonlyArray<Origin>>
  /** The newest scan, if it asked only a part of the questions and is therefore not the headline scan. */
  readonly newer: Scan | null
  /** Present only for a score over several scans. */
  readonly period?: PeriodFacts
}

/** Says in one line from which surface and view all answers of the score come. */
export const surfaceLineOf = ({ origins, period, scan }: Pick<ScoreReport, "origins" | "period" | "scan">): string =>
  describeSurface(scan, period === undefined ? origins.get(scan.id) : [...origins.values()].flat())

/** Reads the data of a score, with the scores `earlier` than it, newest first. */
export const readScoreReportOf = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  latest: ScoredScan,
  earlier: ReadonlyArray<ScoredScan>,
  configured: ReadonlyArray<ConfiguredPlatform> | null,
  newer: Scan | null = null
) {
  const { scan, score } = latest
  const movements = yield* readMovements(organizationId, window, scan, score)
  // Read after the stored detail of the score, which already answers most of this
  const inTrend = yield* scansInTrend(organizationId, latest, earlier)
  const cells = yield* CellStore
  const askedNow = scan.askable === undefined ? yield* cells.countAsked(organizationId, scan.id) : null
  const report: ScoreReport = {
    scan,
    score,
    counts: yield* cells.counts(organizationId, scan.id),
    trackedSet: movements.trackedSet,
    movements,
    asked: summarizeAsked(scan, configured, askedNow),
    history: [...inTrend.map((one) => one.score).reverse(), score],
    examined: [latest, ...earlier],
    origins: yield* readOrigins(organizationId, [latest, ...earlier].map((one) => one.scan.id)),
    newer
  }
  return report
})

/**
 * Reads the headline, or the newest score of another `view`, within the window, with a history of at most `scans`;
 * `configured` are the platforms that a scan would ask now, null if unknown. Fails with NoCompletedScan if no scan has
 * completed, with NoScore if no completed scan is measured yet, and with OutsideWindow if the newest one is older than
 * the window.
 */
export const readScoreReport = Effect.fn("readScoreReport")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  scans: number,
  configured: ReadonlyArray<ConfiguredPlatform> | null,
  view: string | null = null
) {
  const scores = yield* ScoreStore
  const { newer, scans: [latest, ...earlier] } = yield* readHeadlineHistory(
    organizationId,
    scans,
    window.since,
    null,
    view
  )
  if (latest === undefined) {
    const [older] = window.since === null ? [] : yield* scores.history(organizationId, 1, null, null, view)
    if (older !== undefined) {
      return yield* new OutsideWindow({ what: "scan", id: older.scan.id, since: window.since! })
    }
    return yield* (yield* hasUnscored(organizationId)) ? new NoScore() : NoCompletedScan.of(view)
  }
  return yield* readScoreReportOf(organizationId, window, latest, earlier, configured, newer)
})
