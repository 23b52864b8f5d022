/**
 * Whether an answer has what its platform promises of every one: a provider that changes its format is noticed by it.
 */
import type { Answer } from "../archive/Answer.ts"
import { deriveSources } from "../sources/deriveSources.ts"
import type { SearchMode } from "../sources/Source.ts"

/**
 * What a platform can promise of its answers: why the text ended, the tokens in and out, the sources of a search, the
 * cost.
 */
export type PromisedPart = "finish" | "tokens" | "sources" | "cost"

interface Promising {
  readonly adapter: string
  readonly search?: SearchMode
  readonly promises?: ReadonlyArray<PromisedPart>
}

/** Whether the answer had a search behind it; undefined = the platform does not say. */
const hasSearched = ({ search }: Promising, { usage }: Answer): boolean | undefined =>
  search === "off" ? false : usage.searches === undefined ? undefined : usage.searches > 0

const missingPartText: Readonly<
  Record<PromisedPart, (answer: Answer, platform: Promising) => ReadonlyArray<string>>
> = {
  finish: ({ finish }) => finish === "other" ? ["why the text ended (finish)"] : [],
  tokens: ({ usage: { inputTokens, outputTokens } }) => [
    ...inputTokens === null ? ["the tokens that went in (usage)"] : [],
    ...outputTokens === null ? ["the tokens that came out (usage)"] : []
  ],
  cost: ({ usage }) => usage.costUsd === null ? ["the cost (usage)"] : [],
  sources: (answer, platform) => {
    if (platform.search === undefined || platform.search === "off") return []
    const { adapter } = platform
    const { sources, status } = deriveSources({ adapter, ...answer })
    if (status === "unreadable") return ["sources that can be read"]
    // A model that is free to search may have seen no need
    if (platform.search === "offered" && hasSearched(platform, answer) !== true) return []
    return [
      ...hasSearched(platform, answer) === false ? ["the search that was demanded"] : [],
      ...sources.some(({ kind }) => kind !== "in_text") ? [] : ["the sources of the search"]
    ]
  }
}

/** What the answer lacks of what the platform promises, one name each. */
export const findMissingParts = (answer: Answer, platform: Promising): ReadonlyArray<string> =>
  (platform.promises ?? []).flatMap((part) => missingPartText[part](answer, platform))
