import { Effect } from "effect"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { isNarrowed } from "../../domain/scoring/asked.ts"
import type { ScoredRow } from "../../domain/scoring/cells.ts"
import { formTagShare, type TagShare } from "../../domain/scoring/tagShares.ts"
import { type SystemTag, systemTags, tagKey } from "../../domain/tracking/Tag.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { NoCompletedScan, NotFound } from "../errors.ts"
import { readRows } from "./readHeadlines.ts"
import { readTagGroups } from "./readRecentAnswers.ts"
import { isMeasuredAlike } from "./scansInTrend.ts"

/** The shares of a tag over several scans. */
export interface TagCourse {
  readonly tag: string
  /** Whether the tag is computed. */
  readonly system: boolean
  /**
   * One share per scan, oldest first; null if the scan has no answer to a keyword with the tag, or asked only a part of
   * these keywords.
   */
  readonly shares: ReadonlyArray<TagShare | null>
  /** The newest scan that has a share, with that share; null if no scan has one. */
  readonly newest: { readonly scan: Scan; readonly share: TagShare } | null
}

/** The shares by tag, and their scans. */
export interface TagShares {
  /** The scans, oldest first. */
  readonly scans: ReadonlyArray<Scan>
  /** In alphabetical order; computed tags come last. */
  readonly tags: ReadonlyArray<TagCourse>
}

/** Whether these answers cover all keywords and platforms that the other answers cover. */
const hasAsked = (own: ReadonlyArray<ScoredRow>, others: ReadonlyArray<ScoredRow>): boolean =>
  (["keywordId", "platform"] as const).every((part) => {
    const asked = new Set<string>(own.map((row) => row[part]))
    return others.every((row) => asked.has(row[part]))
  })

/**
 * Reads the share of voice by tag of up to `count` completed scans within the window that were measured like the newest
 * one. Uses the present tags for all scans; computed tags are decided by the names with which the scans were measured.
 * A narrowed scan has the share of a tag only if it asked every question with the tag that the last complete scan
 * asked. With `only`, reads that tag alone, and fails with NotFound if no keyword has it. Fails with NoCompletedScan if
 * the window contains no such scan.
 */
export const readTagShares = Effect.fn("readTagShares")(
  function*(organizationId: OrganizationId, window: HistoryWindow, count: number, only?: string, view?: string | null) {
    const [latest, ...earlier] = yield* (yield* ScoreStore).history(organizationId, count, window.since, null, view)
    if (latest === undefined) return yield* NoCompletedScan.of(view)
    const scans = [latest, ...earlier.filter((one) => isMeasuredAlike(one, latest))].map(({ scan }) => scan)
      .toReversed()
    const scanIds = scans.map(({ id }) => id)
    const { branded, keywords, rowsOf, topics } = yield* readRows(organizationId, scanIds, latest.score)
    const groups = yield* readTagGroups(organizationId)
    const unbranded = new Set(keywords.map(({ id }) => id).filter((id) => !branded.has(id)))
    const systemIds: { readonly [tag in SystemTag]: ReadonlySet<KeywordId> } = { branded, unbranded }
    const all = [
      ...groups.toSorted((a, b) => a.key < b.key ? -1 : 1).map((one) => ({ ...one, system: false })),
      ...systemTags.map((tag) => ({ key: tag, tag, system: true, keywords: systemIds[tag] }))
    ]
    const wanted = only === undefined ? all : all.filter(({ key }) => key === tagKey(only))
    if (wanted.length === 0) return yield* new NotFound({ what: "tag", id: JSON.stringify(only) })
    const whole = scans.findLast((scan) => !isNarrowed(scan))
    const found: TagShares = {
      scans,
      tags: wanted.map(({ keywords: ids, system, tag }): TagCourse => {
        const taggedRows = ({ id }: Scan) => rowsOf(id).filter(({ keywordId }) => ids.has(keywordId))
        const reference = whole === undefined ? [] : taggedRows(whole)
        const shares = scans.map((scan) => {
          const own = taggedRows(scan)
          return isNarrowed(scan) && !hasAsked(own, reference) ? null : formTagShare(own, ids, branded, topics)
        })
        const last = shares.findLastIndex((share) => share !== null)
        return { tag, system, shares, newest: last === -1 ? null : { scan: scans[last]!, share: shares[last]! } }
      })
    }
    return found
  }
)
