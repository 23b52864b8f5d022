import { Effect } from "effect"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { ScoredRow } from "../../domain/scoring/cells.ts"
import { tagKey } from "../../domain/tracking/Tag.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { NoCompletedScan } from "../errors.ts"
import { readRows } from "./readHeadlines.ts"
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
  return [...tagged].map(([key, own]) => ({
    key,
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
    const ids = alike.map(({ scan }) => scan.id)
    const { branded, rowsOf, topics } = yield* readRows(organizationId, ids, latest.score)
    const found: RecentAnswers = {
      latest,
      scans: alike.map((one) => ({ ...one, rows: rowsOf(one.scan.id) })),
      branded,
      topics,
      tags: yield* readTagGroups(organizationId)
    }
    return found
  }
)
