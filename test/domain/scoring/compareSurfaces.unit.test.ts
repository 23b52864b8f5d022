/** Agreement of captured answers with those of APIs. */
import { compareSurfaces, type CompetitorId, type KeywordId, type ScoredRow } from "@sov/core"
import { expect, it } from "vitest"
import { seededRandom } from "../../support/seededRandom.ts"

const rival = "globex" as CompetitorId
const row = (question: number, brandMentioned: boolean, rivals: ReadonlyArray<CompetitorId> = []): ScoredRow => ({
  platform: "assistant_a",
  keywordId: `k${question}` as KeywordId,
  brandMentioned,
  competitorsMentioned: rivals
})

it("a question counts once, pairs without a name have no Jaccard index, and questions of one surface are left out", () => {
  const found = compareSurfaces(
    [row(1, true, [rival]), row(1, true, [rival]), row(2, false), row(3, true)],
    [row(1, true), row(2, false), row(4, true)],
    new Map()
  )
  expect(found).toMatchObject({
    unmatched: 1,
    cells: [{ agreement: 100, jaccard: 50, appAnswers: 2 }, { agreement: 100, jaccard: null }],
    agreement: { mean: 100 },
    jaccard: { mean: 50, interval: null }
  })
  expect(compareSurfaces([row(1, true)], [row(1, false)], new Map()).agreement?.mean).toBe(0)
  expect(compareSurfaces([], [], new Map())).toEqual({ cells: [], unmatched: 0, agreement: null, jaccard: null })
})

it("the interval of the agreement covers the true agreement in about 95 of 100 samples", () => {
  const random = seededRandom(20_261_128)
  let held = 0
  const runs = 400
  for (let run = 0; run < runs; run++) {
    const questions = Array.from({ length: 40 }, (_, n) => n)
    const api = questions.map((n) => row(n, random() < 0.5))
    const app = api.map((one, n) => row(n, random() < 0.7 ? one.brandMentioned : !one.brandMentioned))
    const { interval } = compareSurfaces(app, api, new Map()).agreement!
    if (interval!.low <= 70 && 70 <= interval!.high) held++
  }
  expect(held / runs).toBeGreaterThan(0.92)
  expect(held / runs).toBeLessThan(0.99)
})
