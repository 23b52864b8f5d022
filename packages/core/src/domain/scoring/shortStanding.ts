import type { Scan } from "../scanning/Scan.ts"
import type { TrackedSet } from "../tracking/TrackedSet.ts"
import type { CommonCellsComparison } from "./compareCells.ts"
import type { Score } from "./Score.ts"
import type { ScoreDetail } from "./scoreDetail.ts"
import type { KeywordShare, NamedShares } from "./standing.ts"

/** The text of the keyword; null if unknown. */
interface WithText {
  readonly text: string | null
}

/**
 * A summary of a score that is short enough to send to clients and to keep in memory: who leads, on which keywords,
 * since when, and what moved.
 */
export interface ShortStanding {
  /** The brand's name when the scan was measured. */
  readonly brand: string
  /** The competitors, highest share first. */
  readonly competitors: NamedShares["competitors"]
  /** The keywords with the lowest shares, lowest first; at most `maxShortKeywords`. */
  readonly keywords: ReadonlyArray<KeywordShare & WithText>
  /** Number of all scored keywords. */
  readonly keywordCount: number
  /** Changes beyond noise since the scan before; at most `maxShortKeywords` keywords, the largest change first. */
  readonly moved: Pick<CommonCellsComparison, "platforms" | "competitors"> & {
    readonly keywords: ReadonlyArray<CommonCellsComparison["keywords"][number] & WithText>
  }
  /** The newest scan and the comparable scans before it, newest first. */
  readonly course: ReadonlyArray<{ readonly scan: Scan; readonly score: Score }>
}

/** Maximum number of keywords in a short standing. */
export const maxShortKeywords = 50

/** Forms the short standing of a score from its detail, the change since the scan before, and its course. */
export const formShortStanding = (
  { brand }: Pick<TrackedSet, "brand">,
  { keywords, keywordShares, named }: Pick<ScoreDetail, "keywords" | "keywordShares" | "named">,
  change: CommonCellsComparison | null,
  course: ShortStanding["course"]
): ShortStanding => {
  const texts = new Map(keywords.map(({ id, text }) => [id, text]))
  const withText = <One extends Pick<KeywordShare, "id">>(one: One) => ({ ...one, text: texts.get(one.id) ?? null })
  return {
    brand: brand.name,
    competitors: named.competitors.toSorted((a, b) => b.sov - a.sov),
    keywords: keywordShares.toSorted((a, b) => a.sov - b.sov).slice(0, maxShortKeywords).map(withText),
    keywordCount: keywordShares.length,
    moved: {
      platforms: change?.platforms.filter(({ beyondNoise }) => beyondNoise) ?? [],
      competitors: change?.competitors.filter(({ trend }) => trend.beyondNoise) ?? [],
      keywords: change?.keywords.filter(({ beyondNoise }) => beyondNoise)
        .toSorted((a, b) => Math.abs(b.delta) - Math.abs(a.delta)).slice(0, maxShortKeywords).map(withText) ?? []
    },
    course
  }
}
