import { describeExperiment, evaluateExperiment, type KeywordId, type ScoredCell } from "@sov/core"
import { expect, it } from "vitest"

/** The result of six pairs whose treated and held-out shares change by these points. */
const resultOf = (treated: number, heldOut: number) => {
  const pairs = Array.from({ length: 6 }, (_, i) => ({
    treated: [`t${i}` as KeywordId],
    held_out: [`h${i}` as KeywordId]
  }))
  const scan = (points: (keyword: KeywordId) => number): ReadonlyArray<ScoredCell> =>
    pairs.flatMap((pair) => [...pair.treated, ...pair.held_out]).map((keywordId) => ({
      platform: "assistant_a",
      keywordId,
      rows: Array.from({ length: 100 }, (_, n) => ({
        platform: "assistant_a" as const,
        keywordId,
        brandMentioned: n < 50 + points(keywordId),
        competitorsMentioned: []
      }))
    }))
  return evaluateExperiment(pairs, {
    before: [scan(() => 0)],
    after: [scan((keyword) => keyword.startsWith("t") ? treated : heldOut)]
  })
}

it.each([
  [-2, -8, "The treated topics gained +6.0 points against those held out."],
  [4, 10, "The treated topics lost 6.0 points against those held out."],
  [3, 3, "No effect is shown (0.0 points, within noise); a rise below 9 points may have been missed."]
])("a change of the treated topics by %d beside %d is described as a difference: %s", (treated, heldOut, sentence) => {
  expect(describeExperiment({ rise_tenths: 90, until: "2026-03-20" }, resultOf(treated, heldOut))).toBe(sentence)
})
