/** How closely answers that people captured in apps agree with API answers to the same questions. */
import type { ScoredCell, ScoredRow } from "./cells.ts"
import { averageCells, groupIntoCells } from "./cells.ts"
import { estimateAlone, type Interval } from "./intervals.ts"

/** A mean over the cells that both surfaces answered, 0–100, with its interval for other questions like these. */
export interface Agreement {
  readonly mean: number
  readonly interval: Interval | null
}

/** One question on one platform that both surfaces answered. */
export interface SharedCell extends Pick<ScoredCell, "keywordId" | "platform"> {
  readonly appAnswers: number
  readonly apiAnswers: number
  /** Percentage of the pairs of answers in which both answers or neither answer names the brand. */
  readonly agreement: number
  /**
   * Percentage of the names in either answer that occur in both, over pairs that contain a name; null if no pair does.
   */
  readonly jaccard: number | null
}

export interface SurfaceComparison {
  readonly cells: ReadonlyArray<SharedCell>
  /** Number of captured answers to questions that the platform's API did not answer. */
  readonly unmatched: number
  readonly agreement: Agreement | null
  readonly jaccard: Agreement | null
}

const namesOf = ({ brandMentioned, competitorsMentioned }: ScoredRow): ReadonlySet<string> =>
  new Set([...brandMentioned ? ["brand"] : [], ...competitorsMentioned])

/** Percentage of the names in either set that occur in both (Jaccard 1901); null if both sets are empty. */
const jaccardOf = (a: ReadonlySet<string>, b: ReadonlySet<string>): number | null => {
  const all = new Set([...a, ...b])
  return all.size === 0 ? null : 100 * [...a].filter((name) => b.has(name)).length / all.size
}

const meanOf = (values: ReadonlyArray<number>): number => values.reduce((sum, one) => sum + one, 0) / values.length

/** The mean of the cells, with its interval clustered by topic. */
const summarize = (cells: ReadonlyArray<ScoredCell<number>>): Agreement | null => {
  const mean = averageCells(cells, (value) => value)
  return mean === null ? null : { mean, interval: estimateAlone(cells, (value) => value) }
}

/**
 * Compares each captured answer with each API answer to the same question on the same platform. A cell is the mean over
 * its pairs, so that a question that was captured often has no greater weight.
 */
export const compareSurfaces = (
  app: ReadonlyArray<ScoredRow>,
  api: ReadonlyArray<ScoredRow>,
  topics: ReadonlyMap<string, string>
): SurfaceComparison => {
  const others = new Map(groupIntoCells(api).map((cell) => [`${cell.platform} ${cell.keywordId}`, cell]))
  let unmatched = 0
  const cells = groupIntoCells(app).flatMap(({ keywordId, platform, rows }): ReadonlyArray<SharedCell> => {
    const other = others.get(`${platform} ${keywordId}`)
    if (other === undefined) {
      unmatched += rows.length
      return []
    }
    const pairs = rows.flatMap((a) => other.rows.map((b) => [a, b] as const))
    const jaccards = pairs.flatMap(([a, b]) => jaccardOf(namesOf(a), namesOf(b)) ?? [])
    return [{
      keywordId,
      platform,
      appAnswers: rows.length,
      apiAnswers: other.rows.length,
      agreement: meanOf(pairs.map(([a, b]) => a.brandMentioned === b.brandMentioned ? 100 : 0)),
      jaccard: jaccards.length === 0 ? null : meanOf(jaccards)
    }]
  })
  const cellsOf = (value: (cell: SharedCell) => number | null) =>
    cells.flatMap((cell): ReadonlyArray<ScoredCell<number>> => {
      const { keywordId, platform } = cell
      const [own, topic] = [value(cell), topics.get(keywordId)]
      return own === null ? [] : [{ keywordId, platform, rows: [own], ...topic === undefined ? {} : { topic } }]
    })
  return {
    cells,
    unmatched,
    agreement: summarize(cellsOf(({ agreement }) => agreement)),
    jaccard: summarize(cellsOf(({ jaccard }) => jaccard))
  }
}
