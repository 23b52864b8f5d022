/** The answers to each question of a scan that name a competitor, and that name the brand. */
import { countNaming, readCurrentScore, readKeywords, readTrackedSet, setBrand } from "@sov/core"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { scanWith, seed, texts } from "../../support/completedScans.ts"
import { oneHome } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

it("per question, the answers that name the rival or the brand are counted as the score measured them", () =>
  storage.run(Effect.gen(function*() {
    const id = yield* seed
    yield* scanWith(id, 10, (keyword, platform) => {
      if (keyword === 5) return platform === "assistant_a" ? null : "It depends."
      const rival = keyword < 2 ? "Globex leads." : "Nothing leads."
      return platform === "assistant_a" && keyword > 0 ? `${rival} Acme Forge follows.` : rival
    })
    const [globex] = (yield* readTrackedSet(id)).competitors
    const { score } = yield* readCurrentScore(id)
    // A later change of the names does not change how the answers of this score were measured
    yield* setBrand(id, { name: "Nothing", aliases: [], domains: [], excludes: [] })
    const numbers = new Map((yield* readKeywords(id)).map((one) => [one.id, texts.indexOf(one.text)]))
    const counts = yield* countNaming(id, score, globex!.id)
    const ids = counts.map(({ keywordId }) => keywordId)
    expect(ids).toEqual(ids.toSorted())
    expect(new Map(counts.map(({ keywordId, ...own }) => [numbers.get(keywordId), own]))).toEqual(
      new Map([
        [0, { answers: 2, rival: 2, brand: 0 }],
        [1, { answers: 2, rival: 2, brand: 1 }],
        [2, { answers: 2, rival: 0, brand: 1 }],
        [3, { answers: 2, rival: 0, brand: 1 }],
        [4, { answers: 2, rival: 0, brand: 1 }],
        [5, { answers: 1, rival: 0, brand: 0 }]
      ])
    )
  })))
