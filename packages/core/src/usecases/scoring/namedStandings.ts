/** The names in the newest scored scan, and the course of their shares. */
import type { CompetitorId } from "../../domain/ids.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import { findLastBreak } from "../../domain/scoring/breaks.ts"
import type { Score } from "../../domain/scoring/Score.ts"
import type { EstimatedShare } from "../../domain/scoring/standing.ts"
import type { ScoreReport } from "./readScoreReport.ts"

/**
 * The shares in earlier comparable scans and in this scan, oldest first; null if a scan has no share, or is before a
 * break.
 */
export type Course = ReadonlyArray<number | null>

/** The course of a share since the last break of its platform or, if no platform is given, of any platform. */
export const listCourse = (
  { history, origins }: Pick<ScoreReport, "history" | "origins">,
  shareOf: (score: Score) => number | null | undefined,
  platform?: PlatformId
): Course => {
  const first = findLastBreak(history.map(({ scanId }) => origins.get(scanId) ?? []), platform)
  return history.map((score, i) => i < first ? null : shareOf(score) ?? null)
}

/** The share of a brand, a competitor or "nobody". */
export interface NamedStanding extends EstimatedShare {
  readonly who: "brand" | "competitor" | "nobody"
  /** Null for the brand and for "nobody". */
  readonly id: CompetitorId | null
  /** Null for "nobody", and for a competitor that is missing in the scan's tracked set. */
  readonly name: string | null
  readonly course: Course
}

/** Brand, competitors and "nobody" of a score, in this order; competitors sorted by descending share. */
export const listNamedStandings = (report: ScoreReport): ReadonlyArray<NamedStanding> => {
  const { movements, score, trackedSet } = report
  const { competitors, nobody } = movements.named
  const findCourse = (id: CompetitorId): Course =>
    listCourse(report, (one) => one.competitors.find((competitor) => competitor.id === id)?.sov)
  return [
    {
      who: "brand",
      id: null,
      name: trackedSet.brand.name,
      sov: score.avgSov,
      interval: score.uncertainty?.interval ?? null,
      course: listCourse(report, ({ avgSov }) => avgSov)
    },
    ...competitors
      .map((one): NamedStanding => ({ who: "competitor", ...one, course: findCourse(one.id) }))
      .toSorted((a, b) => b.sov! - a.sov!),
    { who: "nobody", id: null, name: null, ...nobody, course: listCourse(report, (one) => one.nobody) }
  ]
}
