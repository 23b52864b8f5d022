import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { rowsSinceBreaks } from "../../domain/scoring/breaks.ts"
import { type ScoredCell, selectHeadlineCells } from "../../domain/scoring/cells.ts"
import { estimateSpotOdds, type SpotOdds } from "../../domain/scoring/spotOdds.ts"
import { findTopics } from "../../domain/scoring/topics.ts"
import { tagKey } from "../../domain/tracking/Tag.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { NoCompletedScan } from "../errors.ts"
import { isMeasuredAlike } from "./scansInTrend.ts"

/** Completed scans whose answers count, where nothing else is said. */
export const spotScans = 12

/** The odds of a platform or a tag. */
export interface NamedOdds<Name extends string = string> {
  readonly name: Name
  readonly odds: SpotOdds
}

/** What a person sees who opens single answers, over the answers of several scans. */
export interface SpotCheck {
  /** Newest first. */
  readonly scans: ReadonlyArray<Scan>
  /** Null where no answer counts. */
  readonly all: SpotOdds | null
  /** By name, in order of the alphabet. */
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
 * Reads the odds of a spot check from up to `count` completed scans that the window shows and that were measured like
 * the newest whole one: overall, for each platform since its series broke, and for each tag. Fails with NoCompletedScan
 * where the window shows none.
 */
export const readSpotOdds = Effect.fn("readSpotOdds")(
  function*(organizationId: OrganizationId, window: HistoryWindow, count: number) {
    const store = yield* ScoreStore
    const latest = yield* store.headline(organizationId, window.since)
    if (latest === null) return yield* new NoCompletedScan()
    const history = yield* store.history(organizationId, count, window.since)
    const scans = history.filter((one) => isMeasuredAlike(one, latest)).map(({ scan }) => scan)
    const { keywords, rows, trackedSet } = (yield* (yield* MeasurementStore).rowsOfScans(
      organizationId,
      scans.map(({ id }) => id),
      latest.score
    ))!
    const byScan = Map.groupBy(rows, ({ scanId }) => scanId)
    const { cells } = selectHeadlineCells(
      rowsSinceBreaks(scans.map(({ id }) => byScan.get(id) ?? [])),
      brandedAmong(trackedSet, keywords),
      findTopics(keywords)
    )
    const tagged = Map.groupBy(yield* (yield* KeywordStore).listTags(organizationId), ({ tag }) => tagKey(tag))
    const tags = [...tagged.values()].map((own) => {
      const ids = new Set(own.map(({ keywordId }) => keywordId))
      return [own[0]!.tag, cells.filter(({ keywordId }) => ids.has(keywordId))] as const
    })
    const found: SpotCheck = {
      scans,
      all: estimateSpotOdds(cells),
      platforms: listOdds(Map.groupBy(cells, ({ platform }) => platform)),
      tags: listOdds(tags)
    }
    return found
  }
)
