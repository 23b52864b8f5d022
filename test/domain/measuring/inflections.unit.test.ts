/**
 * Duty: inflected names in thirteen languages, on labelled sentences. The held-out sentences were written before the
 * endings were chosen, the fresh ones before gradation; which of either fail was never listed.
 */
import { measureAnswer } from "@sov/core"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

interface Case {
  readonly lang: string
  readonly brand: string
  readonly text: string
  readonly count: number
}

const read = (file: string): ReadonlyArray<Case> =>
  readFileSync(new URL(`../../fixtures/${file}.jsonl`, import.meta.url), "utf8").trim().split("\n")
    .map((line) => JSON.parse(line))
const count = ({ brand, text }: Pick<Case, "brand" | "text">): number =>
  measureAnswer({ text, brand: { name: brand, aliases: [], domains: [] }, competitors: [] }).count
const halves = {
  known: read("inflection-cases"),
  heldOut: read("inflection-cases.heldout"),
  fresh: read("inflection-cases.fresh")
}
const right = (cases: ReadonlyArray<Case>): number =>
  cases.filter((one) => count(one) === one.count).length / cases.length

describe("inflected names", () => {
  it("there are at least 120 cases in at least 8 languages", () => {
    const all = Object.values(halves).flat()
    expect(all.length).toBeGreaterThanOrEqual(120)
    expect(new Set(all.map(({ lang }) => lang)).size).toBeGreaterThanOrEqual(8)
  })

  it("inflected names are found in most cases of each group", () => {
    for (const part of Object.values(halves)) expect(right(part)).toBeGreaterThanOrEqual(0.85)
  })

  it("inflected names are not found in words of other kinds", () => {
    const none = [...halves.known, ...halves.heldOut].filter((one) => one.count === 0)
    expect(none.filter((one) => count(one) > 0)).toEqual([])
  })

  it("inflected names are found only in texts of their language, and with the capital of the name", () => {
    const counts = (brand: string, texts: Readonly<Record<string, number>>) =>
      expect(Object.fromEntries(Object.keys(texts).map((text) => [text, count({ brand, text })]))).toEqual(texts)
    counts("Nokia", {
      "Nokian puhelin on hyvä.": 1,
      "Nokian is the maker of these tyres.": 0,
      "nokian puhelin on hyvä": 0
    })
    counts("Marimekko", {
      "Marimekon mekko on hyvä.": 1,
      "Pidän Marimekosta, se on hyvä.": 1,
      "Marimekon is a name": 0
    })
    counts("Biedronka", { "W Biedronce jest taniej.": 1, "Biedronce": 0 })
    counts("Telekom", { "A Telekommal nincs baj, és olcsó is.": 1 })
  })
})
