/** The score of a period: the answers of all its scans together, compared with an earlier period. */
import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, laterBegin } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { type ConfiguredPlatform, isNarrowed, summarizeAsked } from "../../domain/scoring/asked.ts"
import { rowsSinceBreaks } from "../../domain/scoring/breaks.ts"
import { selectHeadlineCells, sum } from "../../domain/scoring/cells.ts"
import { estimateVoice, type VoiceRow } from "../../domain/scoring/definitions.ts"
import type { ComparedPeriods, PeriodFacts } from "../../domain/scoring/Period.ts"
import { scoreScan } from "../../domain/scoring/Score.ts"
import { formScoreDetail } from "../../domain/scoring/scoreDetail.ts"
import { type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { NoCompletedScan } from "../errors.ts"
import { readRows } from "./readHeadlines.ts"
import { readOrigins } from "./readOrigins.ts"
import { readHeadlineHistory } from "./reads.ts"
import type { ScoreReport } from "./readScoreReport.ts"
import { isMeasuredAlike, scansInTrend } from "./scansInTrend.ts"

/** A score report of a period; `scan` is the newest scan of the period. */
export interface PeriodReport extends ScoreReport {
  readonly period: PeriodFacts
}

/** Maximum number of scans that are read in each period, newest first. */
const maxPeriodScans = 60

/**
 * Reads the completed scans of a period as one score: each question on a platform is averaged over all its answers in
 * the period, so more scans make the score more certain. Only scans that were measured like the period's newest scan
 * count. `movements` compares with the earlier period on the questions that both have. Fails with NoCompletedScan if
 * the period has no scored scan within the window.
 */
export const readPeriodReport = Effect.fn("readPeriodReport")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  { against, period }: ComparedPeriods,
  configured: ReadonlyArray<ConfiguredPlatform> | null
) {
  const scores = yield* ScoreStore
  const { newer, scans: found } = yield* readHeadlineHistory(
    organizationId,
    maxPeriodScans,
    laterBegin(window, period.from),
    period.to
  )
  const [latest, ...others] = found
  if (latest === undefined) return yield* new NoCompletedScan()
  const { scan, score: { icuVersion, measureVersion, trackedSetVersion } } = latest
  // Keywords that a narrowed scan asked again must not weigh more than the others
  const isWhole = (one: ScoredScan) => isNarrowed(scan) || !isNarrowed(one.scan)
  const alike = [latest, ...others.filter((one) => isMeasuredAlike(one, latest) && isWhole(one))]
  const before = (against === null
    ? []
    : yield* scores.history(organizationId, maxPeriodScans, laterBegin(window, against.from), against.to, scan))
    .filter((one) => one.scan.simulated === scan.simulated && isWhole(one))
  const measured = new Set((yield* scores.ofScans(organizationId, before.map((one) => one.scan.id), latest.score))
    .map(({ scanId }) => scanId))
  const earlier = before.filter((one) => measured.has(one.scan.id))
  const ids = [...alike, ...earlier].map((one) => one.scan.id)
  const { branded, keywords, rows, rowsOf, topics } = yield* readRows(organizationId, ids, latest.score)
  const trackedSet = (yield* (yield* TrackedSetStore).find(organizationId, trackedSetVersion))!
  const [now, then] = [alike, earlier].map((scans) => rowsSinceBreaks(scans.map((one) => rowsOf(one.scan.id)))) as [
    typeof rows,
    typeof rows
  ]
  // A scan whose answers all came before a break counts neither with its answers nor with its failures
  const used = new Set(now.map(({ scanId }) => scanId))
  const counted = alike.filter((one) => used.has(one.scan.id) || rowsOf(one.scan.id).length === 0)
  const score = scoreScan({
    scanId: scan.id,
    measureVersion,
    trackedSetVersion,
    icuVersion: icuVersion ?? "unknown",
    rows: now,
    keywordIds: [...new Set(now.map(({ keywordId }) => keywordId))],
    brandedKeywords: branded,
    topics,
    competitorIds: trackedSet.competitors.map(({ id }) => id),
    answers: now.length,
    failedCount: sum(counted.map((one) => one.score.failedCount)),
    noOverviewCount: sum(counted.map((one) => one.score.noOverviewCount))
  })
  // The period's own rows stay the last ones, also where none of its answers is measured
  const cells = [...then.length === 0 ? [] : [then], now]
    .map((part) => selectHeadlineCells(part, branded, topics).cells)
  const voiced = cells.at(-1)!.map(({ rows, ...cell }) => ({
    ...cell,
    rows: rows.map(({ brandMentioned, competitorsMentioned }): VoiceRow => ({
      named: [...brandMentioned ? ["brand"] : [], ...competitorsMentioned].map((name) => ({ name, count: 1 })),
      cited: []
    }))
  }))
  const { change, ...detail } = formScoreDetail(score, trackedSet, cells, keywords)
  const inTrend = yield* scansInTrend(organizationId, latest, others)
  const firstOf = (all: ReadonlyArray<ScoredScan>): Scan | undefined => all.at(-1)?.scan
  const report: PeriodReport = {
    scan,
    score,
    counts: [],
    trackedSet,
    movements: {
      ...detail,
      next: null,
      trackedSet,
      previous: firstOf(earlier) ?? null,
      comparison: change === null ? null : { before: firstOf(earlier)!, after: scan, ...change }
    },
    asked: summarizeAsked(scan, configured, null),
    history: [...inTrend.map((one) => one.score).reverse(), latest.score],
    examined: found,
    origins: yield* readOrigins(organizationId, found.map((one) => one.scan.id)),
    newer,
    period: {
      period,
      against,
      scans: alike.length,
      leftOut: found.length - alike.length,
      earlierScans: earlier.length,
      mentionRate: estimateVoice("mention_rate", voiced, ["brand"])[0]!
    }
  }
  return report
})
