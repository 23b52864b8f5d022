/** Data of the dashboard's first page. */
import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { Annotation } from "../../domain/scoring/Annotation.ts"
import type { ConfiguredPlatform } from "../../domain/scoring/asked.ts"
import type { ComparedPeriods } from "../../domain/scoring/Period.ts"
import type { Score } from "../../domain/scoring/Score.ts"
import type { EstimatedShare, KeywordShare } from "../../domain/scoring/standing.ts"
import { makeTrendLine, type TrendPoint } from "../../domain/scoring/trendLine.ts"
import { AnnotationStore } from "../../ports/AnnotationStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { listAlerts, type ListedAlert } from "../alerts/reads.ts"
import { readScanProgress, type ScanProgress } from "../scanning/followScan.ts"
import { hasOlderScans } from "../scanning/readScan.ts"
import { type Course, listCourse, listNamedStandings, type NamedStanding } from "./namedStandings.ts"
import { findDropThreshold } from "./planPanel.ts"
import { readPeriodReport } from "./readPeriodReport.ts"
import { readScoreReport, type ScoreReport } from "./readScoreReport.ts"

/** A platform of the newest scan. */
export interface PlatformStanding extends EstimatedShare {
  readonly platform: PlatformId
  readonly answered: number
  readonly failed: number
  readonly noOverview: number
  /** Whether fewer than half of the scored keywords have an answer. */
  readonly lowCoverage: boolean
  readonly course: Course
}

/** A keyword of the newest scan with its share on each platform; platforms without an answer are left out. */
export interface KeywordStanding extends KeywordShare {
  readonly text: string | null
}

/** Details of the newest score. */
export interface Standing {
  readonly report: ScoreReport
  /** The asked platforms, sorted by id. */
  readonly platforms: ReadonlyArray<PlatformStanding>
  /** The brand first, then the competitors by descending share, "nobody" last. */
  readonly named: ReadonlyArray<NamedStanding>
  /** The keywords with the lowest shares first, at most `maxOverviewKeywords`. */
  readonly keywords: ReadonlyArray<KeywordStanding>
  /** Number of all scored keywords. */
  readonly keywordCount: number
  readonly trend: ReadonlyArray<TrendPoint>
}

/** Data of the overview page. */
export interface Overview {
  /** Null if there is no score (see `missing`). */
  readonly standing: Standing | null
  /**
   * Why there is no score: no scan has completed, completed scans are not measured yet, or all are older than the
   * window.
   */
  readonly missing: "scan" | "score" | "window" | null
  readonly annotations: ReadonlyArray<Annotation>
  /** Threshold of the drop alert; null if it is off. */
  readonly threshold: number | null
  /** The newest alerts, with the state of their e-mails. */
  readonly alerts: ReadonlyArray<ListedAlert>
  /** The newest scans in any state. */
  readonly scans: ReadonlyArray<Scan>
  /** The newest running scan. */
  readonly running: ScanProgress | null
  /** Whether the window hides older scans. */
  readonly windowApplied: boolean
}

/** Maximum number of keywords in the overview. */
export const maxOverviewKeywords = 12
const maxShownAlerts = 5
const maxShownScans = 5
/** Maximum number of scans in the trend, including failed and cancelled ones between those with a score. */
const maxTrendScans = 60

const listPlatforms = (report: ScoreReport): Standing["platforms"] => {
  const { counts, scan, score } = report
  return [...scan.platforms].sort().map((platform) => {
    const count = counts.find((one) => one.platform === platform)
    return {
      platform,
      sov: score.platformBreakdown[platform] ?? null,
      interval: score.uncertainty?.platforms[platform] ?? null,
      answered: count?.answered ?? 0,
      failed: count?.failed ?? 0,
      noOverview: count?.noOverview ?? 0,
      lowCoverage: score.lowCoverage.includes(platform),
      course: listCourse(report, (one) => one.platformBreakdown[platform], platform)
    }
  })
}

/** Derives the details of a score; `scans` are the scans in its trend. */
export const makeStanding = (report: ScoreReport, scans: ReadonlyArray<Scan>): Standing => {
  const { examined, history, movements, origins, scan } = report
  const texts = new Map(movements.keywords.map(({ id, text }) => [id, text]))
  const keywords = movements.keywordShares.toSorted((a, b) => a.sov - b.sov)
  const scores = new Map<string, Score>(examined.map((one) => [one.scan.id, one.score]))
  // Scans without a score before the first score would only lengthen the line
  const oldest = examined.at(-1)!.scan.startedAt
  const line = scans
    .filter((one) => one.startedAt >= oldest && one.startedAt <= scan.startedAt && !scores.has(one.id))
    .map((one) => ({ scan: one, score: null }))
  return {
    report,
    platforms: listPlatforms(report),
    named: listNamedStandings(report),
    keywords: keywords.slice(0, maxOverviewKeywords).map((one) => ({ ...one, text: texts.get(one.id) ?? null })),
    keywordCount: keywords.length,
    trend: makeTrendLine(scan, [...examined, ...line], new Set(history.map(({ scanId }) => scanId)), origins)
  }
}

/**
 * Reads the newest completed scan within the window with a trend of at most `scans` scored scans, and the latest
 * events; `configured` are the platforms that a scan would ask now, null if unknown. With `periods`, the score is that
 * of a period (`readPeriodReport`).
 */
export const readOverview = Effect.fn("readOverview")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  scans: number,
  configured: ReadonlyArray<ConfiguredPlatform> | null,
  periods: ComparedPeriods | null = null
) {
  const store = yield* ScanStore
  const reading = periods === null
    ? readScoreReport(organizationId, window, scans, configured)
    : readPeriodReport(organizationId, window, periods, configured)
  const found = yield* reading.pipe(
    Effect.catchTags({
      NoCompletedScan: () => Effect.succeed("scan" as const),
      NoScore: () => Effect.succeed("score" as const),
      OutsideWindow: () => Effect.succeed("window" as const)
    })
  )
  const listed = yield* store.list(organizationId, { limit: maxTrendScans, standard: true, since: window.since })
  const running = listed.find(({ status }) => status === "running")
  const overview: Overview = {
    standing: typeof found === "string" ? null : makeStanding(found, listed),
    missing: typeof found === "string" ? found : null,
    annotations: yield* (yield* AnnotationStore).list(organizationId),
    threshold: yield* findDropThreshold(organizationId),
    alerts: yield* listAlerts(organizationId, window, { limit: maxShownAlerts }),
    scans: listed.slice(0, maxShownScans),
    running: running === undefined ? null : yield* readScanProgress(organizationId, running.id),
    windowApplied: yield* hasOlderScans(organizationId, window)
  }
  return overview
})
