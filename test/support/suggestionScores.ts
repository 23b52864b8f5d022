/** Compares suggestions with the brands that a person found in the same answers. */

/** The brands that a person found in the answers of one market. */
export interface LabelledMarket {
  readonly market: string
  /** Whether the weights were fitted to the answers of this half, or the half was put away for the test. */
  readonly half: "fitted" | "put away"
  /** The spellings of each brand that answers to several questions name. */
  readonly brands: ReadonlyArray<ReadonlyArray<string>>
  /** Names that count neither as right nor as wrong: sellers, publishers, product lines that act as brands. */
  readonly either: ReadonlyArray<string>
}

/** Counts of names: how many were wanted and found, and how many were listed and right. */
export interface SuggestionScore {
  readonly wanted: number
  readonly found: number
  readonly listed: number
  readonly right: number
}

const squeeze = (name: string): string => name.normalize("NFD").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** Scores a list of names. A second spelling of a brand counts as wrong. */
export const scoreNames = (
  names: ReadonlyArray<string>,
  { brands, either }: Pick<LabelledMarket, "brands" | "either">
): SuggestionScore => {
  const owners = new Map(brands.flatMap((spellings, i) => spellings.map((name) => [squeeze(name), i] as const)))
  const open = new Set(either.map(squeeze))
  const found = new Set(names.flatMap((name) => owners.get(squeeze(name)) ?? []))
  const listed = names.filter((name) => owners.has(squeeze(name)) || !open.has(squeeze(name)))
  return { wanted: brands.length, found: found.size, listed: listed.length, right: found.size }
}

export const addScores = (scores: ReadonlyArray<SuggestionScore>): SuggestionScore =>
  scores.reduce((sum, one) => ({
    wanted: sum.wanted + one.wanted,
    found: sum.found + one.found,
    listed: sum.listed + one.listed,
    right: sum.right + one.right
  }))
