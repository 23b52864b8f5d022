/** The share of voice over the keywords of one tag, formed as the headline is. */
import type { KeywordId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import { averageCells, type ScoredRow, selectHeadlineCells, sum } from "./cells.ts"
import { type Interval, keywordInterval } from "./intervals.ts"
import { scoreRow } from "./Score.ts"

/** The share of one scan over some of its keywords. */
export interface TagShare {
  /** 0–100, unrounded: the mean of the platforms. */
  readonly sov: number
  /** 95 %; null where there are too few answers for one (`keywordInterval`). */
  readonly interval: Interval | null
  /** Answers that it is formed of. */
  readonly n: number
  /** Keywords that have these answers. */
  readonly keywords: number
  readonly platforms: ReadonlyArray<{ readonly platform: PlatformId; readonly sov: number }>
}

/**
 * Forms the share over the keywords of a tag. Branded keywords are left out unless nothing else has an answer, as in
 * the headline, so that the tag `branded` has a share, and other tags compare with it. Null without an answer.
 */
export const formTagShare = (
  rows: ReadonlyArray<ScoredRow>,
  tagged: ReadonlySet<KeywordId>,
  branded: ReadonlySet<KeywordId>
): TagShare | null => {
  const { cells } = selectHeadlineCells(rows.filter(({ keywordId }) => tagged.has(keywordId)), branded)
  const sov = averageCells(cells, scoreRow)
  return sov === null ? null : {
    sov,
    interval: keywordInterval(cells, scoreRow),
    n: sum(cells.map((cell) => cell.rows.length)),
    keywords: new Set(cells.map(({ keywordId }) => keywordId)).size,
    platforms: [...Map.groupBy(cells, ({ platform }) => platform)]
      .map(([platform, own]) => ({ platform, sov: averageCells(own, scoreRow)! }))
      .toSorted((a, b) => a.platform < b.platform ? -1 : 1)
  }
}

/** What stands where a share has no interval. */
export const tooFewAnswers = "too few answers"
