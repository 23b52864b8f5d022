/** The share of voice over the keywords of one tag, computed like the headline. */
import type { KeywordId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import { averageCells, type ScoredRow, selectHeadlineCells, sum } from "./cells.ts"
import { type Interval, keywordInterval } from "./intervals.ts"
import { topicOf } from "./panel.ts"
import { scoreRow } from "./Score.ts"

/** The share over some keywords of one scan. */
export interface TagShare {
  /** Share of voice, 0–100, unrounded: the mean of the platforms. */
  readonly sov: number
  /** 95 % interval; null if there are too few answers (`keywordInterval`). */
  readonly interval: Interval | null
  /** Number of answers behind the share. */
  readonly n: number
  /** Number of keywords with these answers, and number of their topics. */
  readonly keywords: number
  readonly topics: number
  readonly platforms: ReadonlyArray<{ readonly platform: PlatformId; readonly sov: number }>
}

/**
 * Computes the share over the keywords of a tag. As in the headline, branded keywords are left out unless no other
 * keyword has an answer, so that other tags are comparable with the headline and the tag `branded` still has a share.
 * Null without an answer.
 */
export const formTagShare = (
  rows: ReadonlyArray<ScoredRow>,
  tagged: ReadonlySet<KeywordId>,
  branded: ReadonlySet<KeywordId>,
  topics: ReadonlyMap<KeywordId, string>
): TagShare | null => {
  const { cells } = selectHeadlineCells(rows.filter(({ keywordId }) => tagged.has(keywordId)), branded, topics)
  const sov = averageCells(cells, scoreRow)
  return sov === null ? null : {
    sov,
    interval: keywordInterval(cells, scoreRow),
    n: sum(cells.map((cell) => cell.rows.length)),
    keywords: new Set(cells.map(({ keywordId }) => keywordId)).size,
    topics: new Set(cells.map(topicOf)).size,
    platforms: [...Map.groupBy(cells, ({ platform }) => platform)]
      .map(([platform, own]) => ({ platform, sov: averageCells(own, scoreRow)! }))
      .toSorted((a, b) => a.platform < b.platform ? -1 : 1)
  }
}

/** The text that is shown instead of a null interval. */
export const tooFewAnswers = "too few answers"
