import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { rowsSinceBreaks } from "../../domain/scoring/breaks.ts"
import { type ScoredCell, selectHeadlineCells } from "../../domain/scoring/cells.ts"
import { estimateSpotOdds, type NamedOdds, type SpotOdds } from "../../domain/scoring/spotOdds.ts"
import { readRecentAnswers, type RecentAnswers } from "./readRecentAnswers.ts"

/** Number of completed scans whose answers count by default. */
export const spotScans = 12

/** What a person would see who opens single answers: the odds over the answers of several scans. */
export interface SpotCheck {
  /** The scans, newest first. */
  readonly scans: ReadonlyArray<Scan>
  /** Odds over all answers; null if no answer counts. */
  readonly all: SpotOdds | null
  /** Odds by platform name, in alphabetical order. */
  readonly platforms: ReadonlyArray<NamedOdds<PlatformId>>
  readonly tags: ReadonlyArray<NamedOdds>
}

const listOdds = <Name extends string>(
  groups: Iterable<readonly [Name, ReadonlyArray<ScoredCell>]>
): ReadonlyArray<NamedOdds<Name>> =>
  [...groups].flatMap(([name, cells]) => {
    const odds = estimateSpotOdds(cells)
    return odds === null ? [] : [{ name, odds }]
  }).toSorted((a, b) => a.name < b.name ? -1 : 1)

/**
 * Computes the odds from these answers: overall, for each platform since the last break of its series, and for each
 * tag.
 */
export const formSpotCheck = ({ branded, scans, tags, topics }: RecentAnswers): SpotCheck => {
  const { cells } = selectHeadlineCells(rowsSinceBreaks(scans.map(({ rows }) => rows)), branded, topics)
  return {
    scans: scans.map(({ scan }) => scan),
    all: estimateSpotOdds(cells),
    platforms: listOdds(Map.groupBy(cells, ({ platform }) => platform)),
    tags: listOdds(
      tags.map(({ keywords, tag }) => [tag, cells.filter(({ keywordId }) => keywords.has(keywordId))] as const)
    )
  }
}

/** Reads the odds of a spot check. Fails with NoCompletedScan if the window contains no scan with a score. */
export const readSpotOdds = Effect.fn("readSpotOdds")(
  function*(organizationId: OrganizationId, window: HistoryWindow, count: number) {
    return formSpotCheck(yield* readRecentAnswers(organizationId, window, count))
  }
)
