import { alignSentences, comparePresence, fisherTest, isBeyondNoise, measureDistance, type Samples } from "@sov/core"
import { describe, expect, it } from "vitest"

const samples = (...all: ReadonlyArray<string>): Samples =>
  all.map((names) => new Set(names === "" ? [] : names.split(" ")))

describe("names in and out of an answer", () => {
  it("each name has its number of samples before and after, sorted by descending difference", () => {
    expect(comparePresence(samples("Acme", "Acme Globex"), samples("Globex", "Globex"))).toEqual([
      { item: "Acme", kind: "out", before: { seen: 2, samples: 2 }, after: { seen: 0, samples: 2 }, withinNoise: true },
      { item: "Globex", kind: "in", before: { seen: 1, samples: 2 }, after: { seen: 2, samples: 2 }, withinNoise: true }
    ])
    expect(comparePresence(samples("Acme"), samples("Acme"))).toEqual([])
  })

  it("a change is beyond noise if two scans without a change would hardly differ as much (Fisher)", () => {
    // Tables whose probabilities are known: 2/C(10,5), and of the lady who tastes tea
    expect(fisherTest({ seen: 0, samples: 5 }, { seen: 5, samples: 5 })).toBeCloseTo(2 / 252, 10)
    expect(fisherTest({ seen: 3, samples: 4 }, { seen: 1, samples: 4 })).toBeCloseTo(34 / 70, 10)
    const five = (name: string, n: number) => Array.from({ length: 5 }, (_, i) => i < n ? name : "")
    expect(comparePresence(samples(...five("Acme", 0)), samples(...five("Acme", 5)))[0]!.withinNoise).toBe(false)
    expect(comparePresence(samples(...five("Acme", 3)), samples(...five("Acme", 4)))[0]!.withinNoise).toBe(true)
    expect(comparePresence(samples("Acme"), samples("Globex")).every((one) => one.withinNoise)).toBe(true)
  })

  it("a cell counts as changed if it differs more than 95 % of unchanged cells, and as unknown if these are too few", () => {
    expect(measureDistance(samples("Acme Globex"), samples("Acme"))).toBe(0.5)
    expect(measureDistance(samples(""), samples(""))).toBe(0)
    const unchanged = Array.from({ length: 39 }, (_, i) => i / 100)
    expect(isBeyondNoise(0.5, unchanged)).toBe(true)
    expect(isBeyondNoise(0.38, unchanged)).toBe(true)
    expect(isBeyondNoise(0.37, unchanged)).toBe(false)
    expect(isBeyondNoise(1, unchanged.slice(0, 18))).toBeNull()
  })
})

describe("two answers, sentence by sentence", () => {
  const kinds = (before: string, after: string) =>
    alignSentences(before, after).map(({ kind, text }) => `${kind} ${text}`)

  it("common sentences stay in place, and removed and added sentences are listed", () => {
    expect(kinds("Acme is best. It is loud.\n- Globex: cheap", "Acme is best. It is quiet.\n- Globex: cheap\nEnd."))
      .toEqual([
        "same Acme is best.",
        "out It is loud.",
        "in It is quiet.",
        "same - Globex: cheap",
        "in End."
      ])
    expect(kinds("", "One.")).toEqual(["in One."])
    expect(kinds("", "")).toEqual([])
  })

  it("both texts can be restored completely, even with repeated sentences", () => {
    const [before, after] = ["A. B. A. C. A. D. B.", "B. A. A. D. C. B. E."]
    const aligned = alignSentences(before, after)
    const without = (kind: string) => aligned.filter((one) => one.kind !== kind).map(({ text }) => text).join(" ")
    expect([without("in"), without("out")]).toEqual([before, after])
  })

  it("the work is bounded even for texts that were written to slow it down", () => {
    const long = Array.from({ length: 5000 }, (_, i) => `Sentence ${i}.`).join(" ")
    expect(alignSentences(long, `x${"y".repeat(200_000)}`).length).toBeLessThanOrEqual(2000)
  })
})
