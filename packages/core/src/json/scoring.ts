/** Scores as clients see them. */
import type { CompetitorId, KeywordId } from "../domain/ids.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import { describeSurface } from "../domain/platforms/surface.ts"
import type { CellCounts } from "../domain/scanning/Cell.ts"
import type { Scan } from "../domain/scanning/Scan.ts"
import type { Annotation } from "../domain/scoring/Annotation.ts"
import type { Asked } from "../domain/scoring/asked.ts"
import type { SurfaceComparison } from "../domain/scoring/compareSurfaces.ts"
import type { Voice } from "../domain/scoring/definitions.ts"
import { otherQuestions } from "../domain/scoring/estimand.ts"
import {
  evidenceCaveat,
  evidenceCriteria,
  evidenceNeeds,
  gradeEvidence,
  gradeOf
} from "../domain/scoring/evidenceGrade.ts"
import { describeStep, type GradedEvidence } from "../domain/scoring/evidencePlan.ts"
import type { Interval } from "../domain/scoring/intervals.ts"
import { roundHalfUp, roundOrNull, roundPoints, type Score } from "../domain/scoring/Score.ts"
import type { SentimentShares } from "../domain/scoring/sentimentShares.ts"
import type { ShortStanding } from "../domain/scoring/shortStanding.ts"
import { type NamedOdds, spotCaveat, type SpotOdds } from "../domain/scoring/spotOdds.ts"
import { findLeaders, rankOf } from "../domain/scoring/standing.ts"
import type { TagShare } from "../domain/scoring/tagShares.ts"
import type { Change } from "../domain/scoring/trend.ts"
import { simulatedJson } from "./simulated.ts"

/** A configured platform with the operator's name for it, if it has one. */
interface LabelledPlatform {
  readonly id: PlatformId
  readonly label?: string
}

/** Platform scores with one decimal. */
export const breakdownJson = (breakdown: Score["platformBreakdown"]): { readonly [platform: string]: number } =>
  Object.fromEntries(
    Object.entries(breakdown).sort(([a], [b]) => a < b ? -1 : 1).map(([id, value]) => [id, roundHalfUp(value, 1)])
  )

/** The surface and view of a scan's numbers; null if the surface is unknown, or if the view is the standard one. */
export const viewJson = ({ surface, view }: Pick<Scan, "surface" | "view">) => ({
  surface: surface ?? null,
  view: view?.name ?? null
})

/** Like `viewJson`, with one line about the surface and view of the numbers (`readSurfaceLine`). */
export const surfaceJson = (scan: Pick<Scan, "surface" | "view">, line: string) => ({
  ...viewJson(scan),
  surface_line: line
})

/** The current share of voice, from a completed scan; null if none of its answers is measured. */
export const summaryJson = (scan: Scan, score: Score) => ({
  scan_id: scan.id,
  completed_at: (scan.completedAt ?? scan.startedAt).toISOString(),
  avg_sov: roundOrNull(score.avgSov, 0),
  platform_breakdown: breakdownJson(score.platformBreakdown),
  ...viewJson(scan),
  ...simulatedJson(scan.simulated)
})

/**
 * A scan with its score, or with the counts of its cells and answers if it has no score. Always states whether it is
 * simulated.
 */
export const scanSummaryJson = (
  scan: Scan,
  score: Score | null,
  cells: ReadonlyArray<CellCounts>,
  archived: { readonly answers: number; readonly mentioned: number }
) => ({
  scan_id: scan.id,
  status: scan.status,
  scan_type: scan.scanType,
  started_at: scan.startedAt.toISOString(),
  completed_at: scan.completedAt?.toISOString() ?? null,
  avg_sov: roundOrNull(score?.avgSov, 0),
  platform_breakdown: breakdownJson(score?.platformBreakdown ?? {}),
  results_count: score?.resultsCount ?? archived.answers,
  failed_count: score?.failedCount ?? cells.reduce((total, count) => total + count.failed, 0),
  no_overview_count: score?.noOverviewCount ?? cells.reduce((total, count) => total + count.noOverview, 0),
  mentioned_count: score?.mentionedCount ?? archived.mentioned,
  ...viewJson(scan),
  simulated: scan.simulated
})
export type ScanSummaryJson = ReturnType<typeof scanSummaryJson>

/** A 95 % interval with one decimal; null if there is no interval. */
export const interval95Json = (interval: Interval | null | undefined) =>
  interval == null ? null : { low: roundHalfUp(interval.low, 1), high: roundHalfUp(interval.high, 1) }

/** How much the scan of a share asked, how many answers count, and the interval of the share. */
export const askedShareJson = (asked: Asked, score: Score | null) => ({
  asked: askedJson(asked),
  n: score?.uncertainty?.mentionRate?.answers ?? null,
  questions: score?.uncertainty?.keywords ?? null,
  topics: score?.uncertainty?.topics ?? null,
  interval_95: interval95Json(score?.uncertainty?.interval),
  interval_about: otherQuestions
})

/** The share of one scan over the keywords of a tag. */
export const tagShareJson = ({ interval, keywords, n, platforms, sov, topics }: TagShare) => ({
  sov: roundHalfUp(sov, 1),
  interval_95: interval95Json(interval),
  interval_about: otherQuestions,
  n,
  keywords,
  topics,
  platform_breakdown: Object.fromEntries(platforms.map((one) => [one.platform, roundHalfUp(one.sov, 1)]))
})

/** The odds of a spot check in percent; `three_misses` is null if no question has two answers on a platform. */
export const spotOddsJson = (found: SpotOdds) => ({
  odds: roundHalfUp(found.odds, 1),
  odds_interval_95: interval95Json(found.interval),
  three_misses: roundOrNull(found.threeMisses, 1),
  three_misses_interval_95: found.threeMisses === null ? null : interval95Json(found.threeMissesInterval),
  three_misses_between: found.threeMisses === null ? interval95Json(found.threeMissesInterval) : null,
  interval_about: otherQuestions,
  answers: found.answers,
  questions: found.questions,
  topics: found.topics
})

const noOdds = {
  odds: null,
  odds_interval_95: null,
  three_misses: null,
  three_misses_interval_95: null,
  three_misses_between: null,
  interval_about: otherQuestions,
  answers: 0,
  questions: 0,
  topics: 0
}

const namedOddsJson = <Name extends string>({ name, odds }: NamedOdds<Name>) => ({ name, ...spotOddsJson(odds) })

/** The odds of a spot check, in percent with one decimal; null if no answer counts. */
export const spotCheckJson = ({ all, platforms, scans, tags }: {
  readonly all: SpotOdds | null
  readonly platforms: ReadonlyArray<NamedOdds<PlatformId>>
  readonly scans: ReadonlyArray<Scan>
  readonly tags: ReadonlyArray<NamedOdds>
}) => ({
  ...all === null ? noOdds : spotOddsJson(all),
  scans: scans.map(({ id }) => id),
  platforms: platforms.map(namedOddsJson),
  tags: tags.map(namedOddsJson),
  caveat: spotCaveat,
  ...simulatedJson(scans[0]?.simulated === true)
})

/** How closely captured answers agree with API answers, in percent. */
export const surfacesJson = (
  { agreement, api, captured, cells, from, hasOlder, jaccard, keywordTexts, to, unmatched }: SurfaceComparison & {
    readonly api: Scan
    readonly captured: ReadonlyArray<Scan>
    readonly from: Date
    readonly hasOlder: boolean
    readonly to: Date
    readonly keywordTexts: ReadonlyMap<KeywordId, string>
  }
) => ({
  api: describeSurface(api),
  api_scan_id: api.id,
  api_completed_at: (api.completedAt ?? api.startedAt).toISOString(),
  app: describeSurface(captured[0]!),
  captured_from: from.toISOString(),
  captured_to: to.toISOString(),
  imports: captured.length,
  /** Whether older imports exist, which are left out. */
  older_imports_left_out: hasOlder,
  /**
   * Number of answers of the newest import (by its first capture); the share of the view `captured` includes only
   * these.
   */
  newest_import_answers: captured[0]!.cellCount,
  app_answers: cells.reduce((total, { appAnswers }) => total + appAnswers, 0),
  api_answers: cells.reduce((total, { apiAnswers }) => total + apiAnswers, 0),
  /** Captured answers to questions that have no API answer. */
  unmatched,
  agreement: roundOrNull(agreement?.mean, 1),
  agreement_interval_95: interval95Json(agreement?.interval),
  jaccard: roundOrNull(jaccard?.mean, 1),
  jaccard_interval_95: interval95Json(jaccard?.interval),
  interval_about: otherQuestions,
  cells: cells.map((cell) => ({
    keyword_id: cell.keywordId,
    keyword: keywordTexts.get(cell.keywordId) ?? "",
    platform: cell.platform,
    app_answers: cell.appAnswers,
    api_answers: cell.apiAnswers,
    agreement: roundHalfUp(cell.agreement, 1),
    jaccard: roundOrNull(cell.jaccard, 1)
  }))
})

/** How reliable a share is by each criterion, and what it needs for the next grade. */
export const evidenceJson = (scan: Scan, { facts, next }: GradedEvidence) => ({
  scan_id: scan.id,
  grade: gradeEvidence(facts),
  caveat: evidenceCaveat,
  scans: facts.scans,
  criteria: evidenceCriteria.map((criterion) => {
    const value = facts.values[criterion]
    return {
      criterion,
      value: roundOrNull(value, 1),
      ...evidenceNeeds[criterion],
      grade: gradeOf(criterion, value)
    }
  }),
  next: next === null ? null : {
    grade: next.grade,
    keywords: next.questions,
    platforms: next.platforms,
    samples: next.samples,
    scans: next.scans,
    answers: next.answers,
    cost_usd: roundOrNull(next.costUsd, 4),
    steps: next.steps.map((step) => ({
      criterion: step.criterion,
      adds: step.adds,
      answers: step.answers,
      cost_usd: roundOrNull(step.costUsd, 4),
      text: describeStep(step)
    }))
  },
  ...simulatedJson(scan.simulated)
})

/** How many of the configured platforms and tracked keywords a scan asks. */
export const askedJson = (asked: Asked) => ({
  platforms: asked.platforms,
  configured_platforms: asked.configuredPlatforms,
  keywords: asked.keywords,
  tracked_keywords: asked.trackedKeywords
})

/** An annotation as clients see it. */
export const annotationJson = ({ createdAt, day, id, text }: Annotation) => ({
  id,
  day,
  text,
  created_at: createdAt.toISOString()
})

const changeJson = ({ after, before, delta }: Change) => ({
  before: roundHalfUp(before, 1),
  after: roundHalfUp(after, 1),
  delta: roundPoints(delta)
})

/** Names and shares behind a score: who leads, on which keywords, since when, and which changes exceed noise. */
export const standingJson = (score: Score, standing: ShortStanding, platforms: ReadonlyArray<LabelledPlatform>) => {
  const { avgSov, uncertainty } = score
  const { competitors, moved } = standing
  const names = new Map(competitors.map(({ id, name }) => [id, name ?? id]))
  const nameOf = (id: CompetitorId | "brand") => id === "brand" ? standing.brand : names.get(id) ?? id
  return {
    brand: {
      name: standing.brand,
      sov: roundOrNull(avgSov, 1),
      interval_95: interval95Json(uncertainty?.interval),
      rank: avgSov === null ? null : rankOf(avgSov, competitors.map(({ sov }) => sov)),
      rank_of: competitors.length + 1
    },
    competitors: competitors.map(({ id, interval, sov }) => ({
      name: nameOf(id),
      sov: roundHalfUp(sov, 1),
      interval_95: interval95Json(interval),
      rank: rankOf(sov, [avgSov ?? 0, ...competitors.map((other) => other.sov)])
    })),
    platform_labels: Object.fromEntries(
      platforms.flatMap(({ id, label }) => label === undefined ? [] : [[id, label]])
    ) as { readonly [Id in PlatformId]?: string },
    keywords: standing.keywords.map((one) => ({
      keyword_id: one.id,
      prompt: one.text,
      sov: roundHalfUp(one.sov, 1),
      platform_breakdown: breakdownJson(Object.fromEntries(one.platforms))
    })),
    keywords_not_listed: standing.keywordCount - standing.keywords.length,
    moved: {
      platforms: moved.platforms.map((one) => ({ platform: one.id, ...changeJson(one) })),
      keywords: moved.keywords.map((one) => ({ keyword_id: one.id, prompt: one.text, ...changeJson(one) })),
      competitors: moved.competitors.map(({ id, trend }) => ({ name: nameOf(id), ...changeJson(trend) }))
    },
    history: standing.course.map(({ scan, score: own }) => ({
      scan_id: scan.id,
      completed_at: (scan.completedAt ?? scan.startedAt).toISOString(),
      avg_sov: roundOrNull(own.avgSov, 1),
      leaders: findLeaders(own).map(nameOf)
    }))
  }
}

/** The sentiments of the answers that name the brand, each with its interval. */
export const sentimentJson = ({ judged, named, shares }: SentimentShares) => ({
  named,
  judged,
  interval_about: otherQuestions,
  shares: shares.map(({ answers, interval, sentiment, value }) => ({
    sentiment,
    answers,
    value: roundOrNull(value, 1),
    interval_95: interval95Json(interval)
  }))
})

/** A score under each definition of voice: the brand first, then the competitors, each with its interval. */
export const voiceJson = ({ columns, names }: Voice) =>
  columns.map(({ answers, definition, shares }) => ({
    definition,
    n: answers,
    interval_about: otherQuestions,
    names: names.map(({ id, name }, i) => {
      const { interval, value } = shares[i]!
      return {
        competitor_id: id,
        name,
        value: roundOrNull(value, 1),
        interval_95: interval95Json(interval)
      }
    })
  }))
