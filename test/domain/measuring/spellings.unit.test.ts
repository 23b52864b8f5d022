/**
 * Duty: names as people write them. 100 pairs of a tracked and a written form of which 95 count, 100 lures of which none does; what
 * does not count by itself is offered as an alias; two entities never share a spelling.
 */
import { type EntityTerms, measureAnswer, offeredSpellings } from "@sov/core"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

interface Written {
  readonly kind: string
  readonly tracked: string
  readonly domains?: ReadonlyArray<string>
  readonly text: string
}

const entity = (name: string, domains: ReadonlyArray<string> = []): EntityTerms => ({ name, aliases: [], domains })
const read = (file: string): ReadonlyArray<Written> =>
  readFileSync(new URL(`../../fixtures/${file}.jsonl`, import.meta.url), "utf8").trim().split("\n")
    .map((line) => JSON.parse(line))
const count = ({ domains, text, tracked }: Written): number =>
  measureAnswer({ text, brand: entity(tracked, domains), competitors: [] }).count

describe("names as people write them", () => {
  it("count in 95 of 100 pairs", () => {
    const pairs = read("name-pairs")
    expect(pairs).toHaveLength(100)
    expect(pairs.filter((pair) => count(pair) === 1).length).toBeGreaterThanOrEqual(95)
  })

  it("count in none of 100 lures", () => {
    const lures = read("name-lures")
    expect(lures.length).toBeGreaterThanOrEqual(100)
    expect(lures.filter((lure) => count(lure) > 0)).toEqual([])
  })
})

describe("a name that is no common word", () => {
  const inLower = (text: string): number => count({ kind: "", tracked: "Eufy", text })

  it("counts in lower case", () => expect(inLower("eufy, (eufy) and eufy's: eufy.")).toBe(4))
  it("does not count in lower case in addresses, paths and identifiers", () => {
    expect(inLower("eufy.io shop.eufy.io src/eufy/a.ts me@eufy --eufy eufy() $eufy")).toBe(0)
  })
})

describe("spellings that may be another word", () => {
  const offered = (name: string, domains: ReadonlyArray<string> = []) =>
    offeredSpellings(entity(name, domains)).map(({ text }) => text)

  it("are offered as aliases", () => {
    expect(offered("Apple Inc.")).toEqual(["Apple"])
    expect(offered("GitLab")).toEqual(["Git Lab"])
    expect(offered("Work Day")).toEqual(["WorkDay"])
    expect(offered("McDonald's")).toEqual(["McDonalds"])
    expect(offered("Marks & Spencer")).toEqual(["Marks and Spencer"])
  })

  it("are not offered where they count already, or are registered", () => {
    expect(offered("Apple Inc.", ["apple.com"])).toEqual([])
    expect(offered("Demand IQ")).toEqual([])
    expect(offeredSpellings({ ...entity("GitLab"), aliases: ["git lab"] })).toEqual([])
    expect(offered("Figma")).toEqual([])
  })
})

describe("a spelling of two entities", () => {
  const text = "Velora is cheap."
  const measure = (rival: string) =>
    measureAnswer({ text, brand: entity("Velora Inc"), competitors: [entity(rival)] }).mentions.map((one) => one.entity)

  it("counts for the one that registered it", () => expect(measure("Velora")).toEqual([0]))
  it("counts for neither where both derive it", () => expect(measure("Velora GmbH")).toEqual([]))
  it("counts where it is one's alone", () => expect(measure("Kestrin GmbH")).toEqual(["brand"]))
})
