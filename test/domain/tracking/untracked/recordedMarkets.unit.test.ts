// Only with SOV_LONG_TESTS: needs recorded answers, which are not part of this project
/**
 * Suggestions of 200 recorded answers beside what a person calls brands in them: `brand-labels.json` has for each
 * market its brands with their spellings, for each answer those that it names, and names that persons may see either
 * way (sellers of the products, product lines that trade under their own name), which count neither as right nor as
 * wrong.
 */
import { toComparisonForm } from "@sov/core"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { marketAnswers, recorded } from "../../../support/recordedMarkets.ts"
import { searchAll } from "./searchAll.ts"

interface LabelledMarket {
  readonly market: string
  readonly brands: ReadonlyArray<ReadonlyArray<string>>
  readonly either: ReadonlyArray<string>
  readonly answers: { readonly [id: string]: ReadonlyArray<string> }
}

const labels = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../fixtures/brand-labels.json"), "utf8")
) as ReadonlyArray<LabelledMarket>

it.skipIf(recorded === "")(
  "finds nine of ten brands that answers to several keywords name, and one wrong name in five at most",
  () => {
    const all = marketAnswers()
    const counts = { brands: 0, found: 0, listed: 0, right: 0 }
    for (const { answers, brands, either, market } of labels) {
      const own = all.filter((one) => one.market === market && one.run === 1 && one.id in answers)
      const listed = new Set(
        searchAll(own.map(({ answer, id, platform, prompt }) => ({ id, platform, prompt, text: answer })))
          .map(({ name }) => toComparisonForm(name))
      )
      const asked = (brand: string) =>
        new Set(own.filter(({ id }) => answers[id]!.includes(brand)).map(({ prompt }) => prompt)).size
      const forms = (names: ReadonlyArray<string>) => names.map(toComparisonForm)
      const named = brands.filter(([brand]) => asked(brand!) > 1)
      counts.brands += named.length
      counts.found += named.filter((spellings) => forms(spellings).some((form) => listed.has(form))).length
      const right = new Set(forms(brands.flat()))
      const neither = new Set(forms(either))
      counts.right += [...listed].filter((form) => right.has(form)).length
      counts.listed += [...listed].filter((form) => right.has(form) || !neither.has(form)).length
    }
    expect(Object.values(labels).reduce((sum, { answers }) => sum + Object.keys(answers).length, 0)).toBe(200)
    expect(counts.found / counts.brands).toBeGreaterThanOrEqual(0.9)
    expect(counts.right / counts.listed).toBeGreaterThanOrEqual(0.8)
  }
)
