/**
 * Duty: names that are ordinary words (M17), on labelled sentences in twelve languages: what names the company counts, and most of what
 * means the word does not. The halves were written before the list of neighbours; its author knew the second one too.
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
const halves = [read("homonym-cases"), read("homonym-cases.heldout")]
const all = halves.flat()

describe("names that are ordinary words", () => {
  it("are in 120 cases or more of at least 8 languages", () => {
    expect(all.length).toBeGreaterThanOrEqual(120)
    expect(new Set(all.map(({ lang }) => lang)).size).toBeGreaterThanOrEqual(8)
  })

  it("count wherever the company is meant", () => {
    expect(all.filter((one) => one.count > 0 && count(one) !== one.count)).toEqual([])
  })

  it("are told from the word in most cases of either half", () => {
    for (const half of halves) {
      expect(half.filter((one) => count(one) === one.count).length / half.length).toBeGreaterThanOrEqual(0.8)
    }
  })

  it("count beside words that only look like those neighbours, and in capitals", () => {
    const counts = (brand: string, texts: Readonly<Record<string, number>>) =>
      expect(Object.fromEntries(Object.keys(texts).map((text) => [text, count({ brand, text })]))).toEqual(texts)
    counts("Apple", { "Apple Pie": 0, "Apple pies": 0, "APPLE pie": 1, "Apple, pie": 1, "Apple Pay": 1 })
    counts("Ring", { "Mein Ring ist weg.": 0, "Meine Ring Kamera ist weg.": 1, "The wedding Ring of gold": 0 })
    counts("Target Optical", { "Target Optical audience": 1 })
  })
})
