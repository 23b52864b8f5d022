/** Details that are stored with a score, computed from invented answers. */
import {
  type CompetitorId,
  formScoreDetail,
  groupIntoCells,
  type KeptDetail,
  type KeywordId,
  type ScanId,
  type ScoredRow,
  type TrackedSet
} from "@sov/core"
import { scoreOf } from "@sov/core/testing"

const rowsOf = (turn: number, competitors: ReadonlyArray<CompetitorId>): ReadonlyArray<ScoredRow> =>
  Array.from({ length: 8 }, (_, keyword) =>
    (["assistant_a", "assistant_b"] as const).map((platform, n): ScoredRow => ({
      platform,
      keywordId: `keyword ${keyword}` as KeywordId,
      brandMentioned: (keyword + n + turn) % 3 > 0,
      competitorsMentioned: competitors.filter((_, of) => (keyword * 3 + n + turn * of) % 4 === 0)
    }))).flat()

type DetailSet = Pick<TrackedSet, "competitors" | "version">

/** The details of a scan's score; `before` are the earlier scans, oldest first. */
export const detailOf = (scanId: ScanId, set: DetailSet, before: number) =>
  formScoreDetail(
    scoreOf(scanId, { competitors: set.competitors.map(({ id }, n) => ({ id, sov: 100 / (n + 3) })) }),
    set,
    Array.from({ length: before + 1 }, (_, turn) => groupIntoCells(rowsOf(turn, set.competitors.map(({ id }) => id)))),
    Array.from({ length: 8 }, (_, n) => ({ id: `keyword ${n}` as KeywordId, text: `best anvil, “${n}”?` }))
  )

/** The details of a scan's score in their stored form. */
export const keptDetailOf = (scanId: ScanId, set: DetailSet, before: ReadonlyArray<ScanId> = []): KeptDetail => ({
  scans: [...before, scanId].map((id) => ({ id, measuredCount: 3 })),
  detail: detailOf(scanId, set, before.length),
  series: new Map(before.map((id, n) => [id, n % 2 === 0]))
})
