/**
 * Common definitions of share of voice (docs/why-tools-disagree.md). Each definition computes the share of a name in
 * one answer, 0–100. These shares are averaged like the headline: over the answers of a cell, the cells of a platform,
 * and the platforms.
 */
import type { CompetitorId } from "../ids.ts"
import { averageCells, type ScoredCell } from "./cells.ts"
import { estimateNames, type Interval } from "./intervals.ts"
import type { Values } from "./panel.ts"
import type { SentimentShares } from "./sentimentShares.ts"

/** The fields of one answer that the definitions read. A name is `brand` or the id of a competitor. */
export interface VoiceRow {
  /** Tracked names in order of first mention, with their number of mentions. */
  readonly named: ReadonlyArray<{ readonly name: string; readonly count: number }>
  /**
   * The owner of each site that the answer cites, null for a site without a tracked owner; empty if it cites no known
   * site.
   */
  readonly cited: ReadonlyArray<string | null>
}

/** Computes the share of each name in one answer, 0–100; names without a share are left out. */
type Shares = (row: VoiceRow) => ReadonlyMap<string, number>

const divide = (
  weights: ReadonlyArray<readonly [name: string | null, weight: number]>
): ReadonlyMap<string, number> => {
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
  const shares = new Map<string, number>()
  for (const [name, weight] of weights) {
    if (name !== null) shares.set(name, (shares.get(name) ?? 0) + 100 * weight / total)
  }
  return shares
}

const rules = {
  share: ({ named }) => divide(named.map(({ name }) => [name, 1])),
  mention_rate: ({ named }) => new Map(named.map(({ name }) => [name, 100])),
  named_first: ({ named }) => new Map(named.slice(0, 1).map(({ name }) => [name, 100])),
  rank_weighted: ({ named }) => divide(named.map(({ name }, i) => [name, 1 / (i + 1)])),
  occurrences: ({ named }) => divide(named.map(({ count, name }) => [name, count])),
  citations: ({ cited }) => divide(cited.map((name) => [name, 1]))
} satisfies Record<string, Shares>

export type VoiceDefinition = keyof typeof rules

/** The names of all definitions; the headline's definition comes first. */
export const voiceDefinitions = Object.keys(rules) as ReadonlyArray<VoiceDefinition>

/** Descriptions for readers of what each definition counts. */
export const definitionWords: {
  readonly [D in VoiceDefinition]: { readonly title: string; readonly says: string }
} = {
  share: { title: "Share of voice", says: "an answer divided among the tracked brands that it names" },
  mention_rate: { title: "Mention rate", says: "answers that name the brand, alone or with others" },
  named_first: { title: "Named first", says: "answers that name the brand before any other tracked brand" },
  rank_weighted: {
    title: "Rank-weighted share",
    says: "as the share, the second named counts half, the third a third"
  },
  occurrences: { title: "Share of occurrences", says: "as the share, a brand counts as often as it is named" },
  citations: { title: "Citation share", says: "of the sites that an answer cites, those of the brand" }
}

/** The value of one name under one definition, 0–100 and unrounded, with the 95 % interval for other questions. */
export interface VoiceShare {
  readonly value: number | null
  readonly interval: Interval | null
}

/** One definition with the share of each name, in the order of `names`. */
export interface VoiceColumn {
  readonly definition: VoiceDefinition
  /** Number of answers that the definition reads. */
  readonly answers: number
  readonly shares: ReadonlyArray<VoiceShare>
}

/** The shares of a score under each definition. */
export interface Voice {
  /** The brand (id null) and the competitors of the score's tracked set. */
  readonly names: ReadonlyArray<{ readonly id: CompetitorId | null; readonly name: string }>
  readonly columns: ReadonlyArray<VoiceColumn>
  /** How the answers judge the brand. */
  readonly sentiment: SentimentShares
}

/** Whether a definition reads an answer; `citations` reads only answers that cite a site. */
export const isRead = (definition: VoiceDefinition, row: VoiceRow): boolean =>
  definition !== "citations" || row.cited.length > 0

const withoutName = (row: VoiceRow, without: string): VoiceRow => ({
  named: row.named.filter(({ name }) => name !== without),
  cited: row.cited.filter((name) => name !== without)
})

/**
 * The shares of these names under one definition, with intervals computed like those of the headline
 * (`estimateIntervals`). The cells must contain only rows that the definition reads.
 */
export const estimateVoice = (
  definition: VoiceDefinition,
  cells: ReadonlyArray<ScoredCell<VoiceRow>>,
  names: ReadonlyArray<string>
): ReadonlyArray<VoiceShare> => {
  const sharesOf: Shares = rules[definition]
  const valuesOf = (without?: string): ReadonlyMap<string, Values> => {
    const values = new Map<string, Values>()
    cells.forEach(({ rows }, c) => {
      for (const row of rows) {
        for (const [name, share] of sharesOf(without === undefined ? row : withoutName(row, without))) {
          const own = values.get(name) ?? new Float64Array(cells.length)
          own[c]! += share / 100 / rows.length
          values.set(name, own)
        }
      }
    })
    return values
  }
  const intervalOf = estimateNames(cells, valuesOf)
  return names.map((name) => ({
    value: averageCells(cells, (row) => sharesOf(row).get(name) ?? 0),
    interval: intervalOf(name)
  }))
}
