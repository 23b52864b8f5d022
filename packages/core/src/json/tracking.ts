/** Names and keywords as clients see them. */
import { makeExcerpt } from "../domain/archive/excerpt.ts"
import { toEntityTerms } from "../domain/measuring/Measurement.ts"
import { roundHalfUp } from "../domain/scoring/Score.ts"
import type { Topic } from "../domain/tracking/decidedTopics.ts"
import type { Keyword } from "../domain/tracking/Keyword.ts"
import type { Brand, Competitor } from "../domain/tracking/TrackedSet.ts"
import type { Suggestion, SuggestionExample } from "../domain/tracking/untracked/SuggestionSearch.ts"

/** A brand or competitor: its names and hosts, and its context words if it has any. */
export const entityJson = ({ id, ...entity }: Brand | Competitor) => ({ id, ...toEntityTerms(entity) })

/** Length in characters of the excerpt in an example of a suggestion. */
const exampleLength = 160

/** An excerpt of an answer around the suggested name, on one line. */
export const describeExample = (name: string, { answer, end, start }: SuggestionExample): string => {
  const mention = { who: "competitor", competitorId: null, name, start, end } as const
  const { cutAfter, cutBefore, parts } = makeExcerpt(answer.rawResponse, [mention], exampleLength)
  return `${cutBefore ? "… " : ""}${parts.map(({ text }) => text).join("").trim()}${cutAfter ? " …" : ""}`
}

/** A brand that answers name but the organization does not track; `share` has one decimal, `confidence` (0–1) two. */
export const suggestionJson = (
  { answers, cells, confidence, examples, keywords, name, platforms, products, share }: Suggestion
) => ({
  name,
  confidence: roundHalfUp(confidence, 2),
  products,
  cells,
  keywords,
  answers,
  platforms,
  share: roundHalfUp(share, 1),
  examples: examples.map((example) => ({
    answer_id: example.answer.answerId,
    platform: example.answer.platform,
    keyword: example.answer.promptUsed,
    excerpt: describeExample(name, example)
  }))
})

/** The notice that is shown if the answers do not name the brands of one market. */
export const noMarketText =
  "These answers name no market: few of them name the same brands again. No name is suggested; names below are less sure."

/** A keyword. */
export const keywordJson = ({ createdAt, id, status, text }: Keyword) => ({
  id,
  text,
  status,
  created_at: createdAt.toISOString()
})

/** A keyword with its tags. */
export const taggedKeywordJson = (keyword: Keyword, tags: ReadonlyArray<string> = []) => ({
  ...keywordJson(keyword),
  tags
})

/** A topic. `decided`: people decided that exactly these questions ask the same thing. */
export const topicJson = ({ decided, keywords }: Topic) => ({ decided, keywords: keywords.map(keywordJson) })
