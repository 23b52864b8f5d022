/**
 * Duty: names that are ordinary words (M17), on labelled sentences in twelve languages: what names the company counts, and of all
 * sentences three in four are read right: what a company may have or do beside its name is no sign of the word. The halves were written before the list of neighbours; its author knew the second one too.
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

  it("are told from the word in three of four cases of either half", () => {
    for (const half of halves) {
      expect(half.filter((one) => count(one) === one.count).length / half.length).toBeGreaterThanOrEqual(0.75)
    }
  })

  it("count where the sentence goes on, and beside what companies have and do", () => {
    const sentences: ReadonlyArray<readonly [brand: string, text: string]> = [
      ["Boots", "Boots and Superdrug are the main chemists."],
      ["Vans", "Vans and Converse are both popular."],
      ["Gap", "Gap in Europe closed its stores."],
      ["Zoom", "Zoom in 2026 added new tools."],
      ["Zoom", "Zoom out of the EU is no option."],
      ["Target", "Target prices are lower than Walmart's."],
      ["Target", "Target customers like it."],
      ["Visa", "Visa fees are lower than Amex fees."],
      ["Visa", "Visa on Tuesday said so."],
      ["Vivo", "A Vivo no Brasil é grande."],
      ["Vivo", "Vivo com fibra é rápida."],
      ["Meta", "Meta data centers use much power."],
      ["Fossil", "Fossil records a loss."],
      ["Sharp", "Sharp turned a profit."],
      ["Subway", "The Subway card is free."],
      ["Coach", "The Coach business grows."],
      ["Apple", "Apple seeds a beta, and Apple turnover fell."],
      ["Boots", "This winter Boots is cheap."],
      ["Ring", "My Ring is offline."]
    ]
    expect(sentences.filter(([brand, text]) => count({ brand, text }) === 0)).toEqual([])
  })

  it("count beside words that only look like those neighbours, and in capitals", () => {
    const counts = (brand: string, texts: Readonly<Record<string, number>>) =>
      expect(Object.fromEntries(Object.keys(texts).map((text) => [text, count({ brand, text })]))).toEqual(texts)
    counts("Apple", { "Apple Pie": 0, "Apple pies": 0, "APPLE pie": 1, "Apple, pie": 1, "Apple Pay": 1 })
    counts("Ring", {
      "Ein Ring ist weg.": 0,
      "Mein Ring ist offline.": 1,
      "Meine Ring Kamera ist weg.": 1,
      "The wedding Ring of gold": 0
    })
    counts("Target Optical", { "Target Optical audience": 1 })
  })
})
