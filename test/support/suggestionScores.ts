/** Suggestions beside what a person calls brands in the same answers. */

/** What a person calls brands in the answers of one market. */
export interface LabelledMarket {
  readonly market: string
  /** The weights were fitted to the answers of this half, or not. */
  readonly half: "fitted" | "put away"
  /** Spellings of each brand that answers to several questions name. */
  readonly brands: ReadonlyArray<ReadonlyArray<string>>
  /** Names that count neither as right nor as wrong: sellers, publishers, product lines that trade as brands. */
  readonly either: ReadonlyArray<string>
}

/** Counts of names: wanted and found among them, listed and right among them. */
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
