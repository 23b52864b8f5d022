import { estimateSpotOdds, groupIntoCells, makeRandom, rowsSinceBreaks, type ScoredRow } from "@sov/core"
import fc from "fast-check"
import { describe, expect, inject, it } from "vitest"
import { anyRows, row, rowsOf } from "./support.ts"

const oddsOf = (rows: ReadonlyArray<ScoredRow>) => estimateSpotOdds(groupIntoCells(rows))!

describe("odds of a spot check", () => {
  it("with one answer per question, only bounds are known for the odds of three misses", () => {
    const found = oddsOf(rowsOf(["b", "", "b", ""]))
    expect(found).toMatchObject({ odds: 50, threeMisses: null, answers: 4, questions: 4, topics: 4 })
    expect(found.threeMissesInterval).toEqual({ low: 12.5, high: 50 })
  })
  it("if answers always or never name the brand, the odds of three misses are certain", () => {
    const twice = (named: string) => [...rowsOf([named, named, named]), ...rowsOf([named, named, named])]
    expect(oddsOf(twice(""))).toMatchObject({ odds: 0, threeMisses: 100 })
    expect(oddsOf(twice("b"))).toMatchObject({ odds: 100, threeMisses: 0 })
  })
  it("three misses are almost as likely as one if all answers to a question agree", () => {
    const half = ["b", "", "b", "", "b", ""]
    const { threeMisses } = oddsOf([...rowsOf(half), ...rowsOf(half), ...rowsOf(half)])
    expect(threeMisses).toBeGreaterThan(45)
    expect(threeMisses).toBeLessThanOrEqual(50)
  })
  it("platforms have the same weight, whatever the number of their answers", () => {
    const rows = [...rowsOf(["b", "b", "b", "b"]), row(1, "", "assistant_b"), row(2, "", "assistant_b")]
    expect(oddsOf(rows).odds).toBe(50)
  })
  it("all chances and their bounds are between 0 and 100", () => {
    fc.assert(fc.property(anyRows, (rows) => {
      const { interval, odds, threeMisses, threeMissesInterval } = oddsOf(rows)
      for (const one of [interval, threeMissesInterval]) {
        if (one !== null) expect(0 <= one.low && one.low <= one.high && one.high <= 100).toBe(true)
      }
      expect(0 <= odds && odds <= 100).toBe(true)
      if (threeMisses !== null) expect(0 <= threeMisses && threeMisses <= 100).toBe(true)
    }))
  })
})

it("answers from before a platform's break are left out, but other platforms keep theirs", () => {
  const of = (model: string, platform: "assistant_a" | "assistant_b"): ScoredRow => ({
    ...row(1, "b", platform),
    origin: { model, search: null }
  })
  const scans = [
    [of("new", "assistant_a"), of("same", "assistant_b")],
    [of("old", "assistant_a"), of("same", "assistant_b")],
    [of("new", "assistant_a"), of("same", "assistant_b")]
  ]
  expect(rowsSinceBreaks(scans)).toEqual([...scans[0]!, scans[1]![1], scans[2]![1]])
})

/** The normal distribution by the sum of twelve uniform numbers. */
const normal = (random: () => number) => Array.from({ length: 12 }, random).reduce((a, b) => a + b) - 6

/**
 * Panels of 20 topics whose chance of a mention differs as in recorded answers: the estimate beside 1 − p to the third
 * power, which the simulation knows.
 */
const simulate = (answers: number, level: number, worlds: number) => {
  const random = makeRandom(answers * 1000 + Math.round(level * 10))
  let [bias, plainBias, covered] = [0, 0, 0]
  for (let world = 0; world < worlds; world++) {
    const rows: Array<ScoredRow> = []
    let [truth, plain] = [0, 0]
    for (let keyword = 1; keyword <= 20; keyword++) {
      const chance = 1 / (1 + Math.exp(-(level + 1.5 * normal(random))))
      const named = Array.from({ length: answers }, () => random() < chance)
      rows.push(...named.map((one) => row(keyword, one ? "b" : "")))
      truth += 100 * (1 - chance) ** 3 / 20
      plain += 100 * (named.filter((one) => !one).length / answers) ** 3 / 20
    }
    const { threeMisses, threeMissesInterval } = oddsOf(rows)
    bias += (threeMisses! - truth) / worlds
    plainBias += (plain - truth) / worlds
    if (threeMissesInterval!.low <= truth && truth <= threeMissesInterval!.high) covered += 100 / worlds
  }
  return { bias, plainBias, covered }
}

it.each([[2, 0], [2, -1.5], [3, 0], [5, -1.5], [10, 0]])(
  "the odds of three misses with %i answers per cell at level %d are unbiased, and the interval is valid",
  (answers, level) => {
    const { bias, covered, plainBias } = simulate(answers, level, inject("testAll") ? 600 : 150)
    expect(Math.abs(bias)).toBeLessThan(2)
    expect(plainBias).toBeGreaterThan(1)
    expect(covered).toBeGreaterThan(90)
  }
)
