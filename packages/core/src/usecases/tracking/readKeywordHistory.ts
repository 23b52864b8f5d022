import { Effect } from "effect"
import type { CompetitorId, KeywordId, OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { averageCells, competitorShare, groupIntoCells, nobodyShare, type Share } from "../../domain/scoring/cells.ts"
import { type KeywordCourse, makeKeywordCourse } from "../../domain/scoring/keywordCourse.ts"
import { scoreRow } from "../../domain/scoring/Score.ts"
import type { Keyword } from "../../domain/tracking/Keyword.ts"
import { CellStore, type KeywordCell } from "../../ports/CellStore.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { NotFound } from "../errors.ts"
import { readKeywordScans } from "./readKeywordScans.ts"
import { readTags } from "./readTags.ts"

/**
 * The share of a brand, a competitor or "nobody" in the answers to one keyword, over the scans of
 * `KeywordCourse.recent`.
 */
export interface NamedHere {
  readonly who: "brand" | "competitor" | "nobody"
  /** Null for the brand and for "nobody". */
  readonly id: CompetitorId | null
  /** Null for "nobody". */
  readonly name: string | null
  readonly sov: number
}

/** The results of one keyword over the last scans. */
export interface KeywordHistory extends KeywordCourse {
  readonly keyword: Keyword
  /** Whether the question itself names the brand, so that it does not count in the headline. */
  readonly branded: boolean
  readonly tags: ReadonlyArray<string>
  /** The scans of the trend that asked the keyword, oldest first. */
  readonly scans: ReadonlyArray<Scan>
  /** Platforms by id, each with its questions in these scans, oldest first. */
  readonly platforms: ReadonlyArray<{ readonly platform: PlatformId; readonly cells: ReadonlyArray<KeywordCell> }>
  /** The brand first, then the competitors by descending share, "nobody" last; empty if there are no answers. */
  readonly named: ReadonlyArray<NamedHere>
}

/** Reads the answers to one keyword over time, within the window. Fails with NotFound. */
export const readKeywordHistory = Effect.fn("readKeywordHistory")(
  function*(organizationId: OrganizationId, window: HistoryWindow, id: KeywordId) {
    const keyword = yield* (yield* KeywordStore).find(organizationId, id)
    if (keyword === null) return yield* new NotFound({ what: "keyword", id })
    const tags = (yield* readTags(organizationId)).get(id) ?? []
    const found = yield* readKeywordScans(organizationId, window, [id])
    if (found === null) {
      const none: KeywordHistory = {
        keyword,
        branded: false,
        tags,
        scans: [],
        platforms: [],
        named: [],
        ...makeKeywordCourse([], [])
      }
      return none
    }
    const cells = yield* (yield* CellStore).ofKeyword(organizationId, id, found.ids)
    const asked = new Set(cells.map(({ scanId }) => scanId))
    const scans = found.scans.filter((scan) => asked.has(scan.id))
    const ids = scans.map((scan) => scan.id)
    const course = makeKeywordCourse(found.rows, ids)
    const place = new Map(ids.map((scanId, n) => [scanId, n]))
    const recent = ids.filter((scanId) => found.rows.some((row) => row.scanId === scanId)).slice(
      -(course.recent?.scans ?? 0)
    )
    const pooled = groupIntoCells(found.rows.filter(({ scanId }) => recent.includes(scanId)))
    const shareOf = (share: Share): number => averageCells(pooled, share) ?? 0
    const { brand, competitors } = found.trackedSet
    const history: KeywordHistory = {
      keyword,
      branded: found.branded([keyword]).has(id),
      tags,
      scans,
      ...course,
      platforms: [...Map.groupBy(cells, ({ platform }) => platform)]
        .map(([platform, own]) => ({
          platform,
          cells: own.toSorted((a, b) => place.get(a.scanId)! - place.get(b.scanId)! || a.sample - b.sample)
        }))
        .toSorted((a, b) => a.platform < b.platform ? -1 : 1),
      named: pooled.length === 0 ? [] : [
        { who: "brand", id: null, name: brand.name, sov: shareOf(scoreRow) },
        ...competitors
          .map((one): NamedHere => ({
            who: "competitor",
            id: one.id,
            name: one.name,
            sov: shareOf(competitorShare(one.id))
          }))
          .toSorted((a, b) => b.sov - a.sov),
        { who: "nobody", id: null, name: null, sov: shareOf(nobodyShare) }
      ]
    }
    return history
  }
)
