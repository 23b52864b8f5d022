import {
  type AnswerId,
  type BrandId,
  type KeywordId,
  type PlatformId,
  type Suggestion,
  SuggestionSearch,
  type TrackedSet
} from "@sov/core"

/** An answer of a test. */
export interface GivenAnswer {
  readonly id: string
  readonly platform: string
  readonly prompt: string
  readonly text: string
}

/** Names of a brand, and nothing else. */
export const namesOf = (
  brand: string,
  competitors: ReadonlyArray<string> = []
): Pick<TrackedSet, "brand" | "competitors"> => ({
  brand: { id: "brand" as BrandId, name: brand, aliases: [], domains: [], excludes: [] },
  competitors: competitors.map((name) => ({ id: name as never, name, aliases: [], domains: [] }))
})

/** What a search finds in these answers. */
export const findAll = (
  answers: ReadonlyArray<GivenAnswer>,
  names = namesOf("Nobody In Particular"),
  { branded = [], ignored = [] }: {
    readonly ignored?: ReadonlyArray<string>
    readonly branded?: ReadonlyArray<string>
  } = {}
): ReturnType<SuggestionSearch["list"]> => {
  const search = new SuggestionSearch(names, ignored)
  const read = answers.map(({ id, platform, prompt, text }) => ({
    answerId: id as AnswerId,
    keywordId: prompt as KeywordId,
    platform: platform as PlatformId,
    promptUsed: prompt,
    rawResponse: text
  }))
  for (const answer of read) search.read(answer)
  for (const answer of read) search.count(answer)
  return search.list(new Set(branded as ReadonlyArray<string> as ReadonlyArray<KeywordId>))
}

/** The names found in these answers, the less sure last. */
export const searchAll = (...given: Parameters<typeof findAll>): ReadonlyArray<Suggestion> => {
  const { lessSure, suggestions } = findAll(...given)
  return [...suggestions, ...lessSure]
}
