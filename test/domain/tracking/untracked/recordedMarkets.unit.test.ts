// Only with SOV_LONG_TESTS: needs recorded answers, which are not part of this project
/** Suggestions of 792 recorded answers of 33 markets beside what a person calls brands in them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { marketAnswers, recorded } from "../../../support/recordedMarkets.ts"
import { addScores, type LabelledMarket, scoreNames } from "../../../support/suggestionScores.ts"
import { findAll } from "./searchAll.ts"

const labels = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../fixtures/brand-labels.json"), "utf8")
) as ReadonlyArray<LabelledMarket>

describe.skipIf(recorded === "")("suggestions in recorded answers", () => {
  // Bounds below what was measured (docs/suggestions.md)
  it.each([
    { half: "fitted", precision: 0.89, recall: 0.83 },
    { half: "put away", precision: 0.87, recall: 0.72 }
  ])(
    "the suggestions from 24 answers per market are brands, with few other names: $half",
    ({ half, precision, recall }) => {
      const all = marketAnswers()
      const scores = labels.filter((one) => one.half === half).map((label) => {
        const own = all.filter(({ market }) => market === label.market)
        const found = findAll(own.map(({ answer, id, platform, prompt }) => ({ id, platform, prompt, text: answer })))
        expect(found.isMarket, label.market).toBe(true)
        return scoreNames(found.suggestions.map(({ name }) => name), label)
      })
      const { found, listed, right, wanted } = addScores(scores)
      expect(right / listed).toBeGreaterThanOrEqual(precision)
      expect(found / wanted).toBeGreaterThanOrEqual(recall)
    }
  )
})
