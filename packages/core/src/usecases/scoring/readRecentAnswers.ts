import { Effect } from "effect"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { ScoredRow } from "../../domain/scoring/cells.ts"
import { findTopics } from "../../domain/scoring/topics.ts"
import { tagKey } from "../../domain/tracking/Tag.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"
import { type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { NoCompletedScan } from "../errors.ts"
import { isMeasuredAlike } from "./scansInTrend.ts"

/** The measured answers of recent scans that were measured the same way, and the tags and topics of their questions. */
export interface RecentAnswers {
  /** The headline scan. */
  readonly latest: ScoredScan
  /** The scans, newest first. */
  readonly scans: ReadonlyArray<ScoredScan & { readonly rows: ReadonlyArray<ScoredRow> }>
  readonly branded: ReadonlySet<KeywordId>
  /** Topics of the keywords that share a topic with others. */
  readonly topics: ReadonlyMap<KeywordId, string>
  readonly tags: ReadonlyArray<{ readonly tag: string; readonly keywords: ReadonlySet<KeywordId> }>
}

/** The keywords of each tag; spellings with the same `tagKey` are one tag. */
export const readTagGroups = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const tagged = Map.groupBy(yield* (yield* KeywordStore).listTags(organizationId), ({ tag }) => tagKey(tag))
  return [...tagged.values()].map((own) => ({
    tag: own[0]!.tag,
    keywords: new Set(own.map(({ keywordId }) => keywordId))
  }))
})

/**
 * Reads the answers of up to `count` completed scans within the window that were measured like the newest complete one.
 * Fails with NoCompletedScan if the window contains no such scan.
 */
export const readRecentAnswers = Effect.fn("readRecentAnswers")(
  function*(organizationId: OrganizationId, window: HistoryWindow, count: number) {
    const store = yield* ScoreStore
    const latest = yield* store.headline(organizationId, window.since)
    if (latest === null) return yield* new NoCompletedScan()
    const history = yield* store.history(organizationId, count, window.since, null, latest.scan)
    const alike = history.filter((one) => isMeasuredAlike(one, latest))
    const { keywords, rows, trackedSet } = (yield* (yield* MeasurementStore).rowsOfScans(
      organizationId,
      alike.map(({ scan }) => scan.id),
      latest.score
    ))!
    const byScan = Map.groupBy(rows, ({ scanId }) => scanId)
    const found: RecentAnswers = {
      latest,
      scans: alike.map((one) => ({ ...one, rows: byScan.get(one.scan.id) ?? [] })),
      branded: brandedAmong(trackedSet, keywords),
      topics: findTopics(keywords, trackedSet),
      tags: yield* readTagGroups(organizationId)
    }
    return found
  }
)
