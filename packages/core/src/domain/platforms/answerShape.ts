/** Checks that an answer has all parts that its platform promises, which reveals when a provider changes its format. */
import type { Answer } from "../archive/Answer.ts"
import { deriveSources } from "../sources/deriveSources.ts"
import type { SearchMode } from "../sources/Source.ts"

/**
 * The parts that a platform can promise for its answers: why the text ended, the input and output tokens, the sources
 * of a search, the cost.
 */
export type PromisedPart = "finish" | "tokens" | "sources" | "cost"

interface Promising {
  readonly adapter: string
  readonly search?: SearchMode
  readonly promises?: ReadonlyArray<PromisedPart>
}

/** Whether the platform searched for the answer; undefined if it does not report this. */
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
    // If searching is optional, the model may not have needed a search
    if (platform.search === "offered" && hasSearched(platform, answer) !== true) return []
    return [
      ...hasSearched(platform, answer) === false ? ["the search that was demanded"] : [],
      ...sources.some(({ kind }) => kind !== "in_text") ? [] : ["the sources of the search"]
    ]
  }
}

/** The promised parts that the answer lacks, in words. */
export const findMissingParts = (answer: Answer, platform: Promising): ReadonlyArray<string> =>
  (platform.promises ?? []).flatMap((part) => missingPartText[part](answer, platform))
