/** The names in the newest scored scan, and the course of their shares. */
import type { CompetitorId } from "../../domain/ids.ts"
import type { EstimatedShare } from "../../domain/scoring/standing.ts"
import type { ScoreReport } from "./readScoreReport.ts"

/** The shares in earlier comparable scans and in this one, oldest first; null = not available in that scan. */
export type Course = ReadonlyArray<number | null>

/** A brand, a competitor or nobody. */
export interface NamedStanding extends EstimatedShare {
  readonly who: "brand" | "competitor" | "nobody"
  /** Null for the brand and for nobody. */
  readonly id: CompetitorId | null
  /** Null for nobody, and for a competitor that is missing in the scan's tracked set. */
  readonly name: string | null
  readonly course: Course
}

/** Brand, competitors and nobody of a score, in this order; competitors by share. */
export const listNamedStandings = (
  { history, movements, score, trackedSet }: ScoreReport
): ReadonlyArray<NamedStanding> => {
  const { competitors, nobody } = movements.named
  const findCourse = (id: CompetitorId): Course =>
    history.map((one) => one.competitors.find((competitor) => competitor.id === id)?.sov ?? null)
  return [
    {
      who: "brand",
      id: null,
      name: trackedSet.brand.name,
      sov: score.avgSov,
      interval: score.uncertainty?.interval ?? null,
      course: history.map(({ avgSov }) => avgSov)
    },
    ...competitors
      .map((one): NamedStanding => ({ who: "competitor", ...one, course: findCourse(one.id) }))
      .toSorted((a, b) => b.sov! - a.sov!),
    { who: "nobody", id: null, name: null, ...nobody, course: history.map((one) => one.nobody) }
  ]
}
