import { type BrandReading, type CompetitorId, describeAnswerChange, nameMentions } from "@sov/core"
import { describe, expect, it } from "vitest"

const named = (mentionPosition: number, sentiment: BrandReading["sentiment"] = "positive"): BrandReading => ({
  brandMentioned: true,
  mentionPosition,
  sentiment
})
const silent: BrandReading = { brandMentioned: false, mentionPosition: null, sentiment: null }
const unmeasured: BrandReading = { ...silent, brandMentioned: null }

describe("changes from one answer to the next", () => {
  it.each<[BrandReading, BrandReading, ReadonlyArray<string> | null]>([
    [named(1), silent, ["named → not named"]],
    [silent, named(2), ["not named → named"]],
    [named(1), named(3), ["place 1 → 3"]],
    [named(1), named(1, "neutral"), ["positive → neutral"]],
    [named(2), named(1, "negative"), ["place 2 → 1", "positive → negative"]],
    [named(2), named(2), []],
    [silent, silent, []],
    [unmeasured, named(1), null],
    [named(1), unmeasured, null]
  ])("changes are described in words: %o, %o", (before, after, words) => {
    expect(describeAnswerChange(before, after)).toEqual(words)
  })
})

describe("named mentions", () => {
  it("mentions get the names of the tracked set, and a mention without a name is left out", () => {
    const competitor = { id: "c1" as CompetitorId, name: "Globex", aliases: [], domains: [] }
    const set = { brand: { name: "Acme" }, competitors: [competitor] } as never
    const mentions = [{ entity: "brand", start: 0, end: 4 }, { entity: 0, start: 9, end: 15 }, {
      entity: 7,
      start: 20,
      end: 22
    }] as const
    expect(nameMentions(mentions, set)).toEqual([
      { start: 0, end: 4, who: "brand", competitorId: null, name: "Acme" },
      { start: 9, end: 15, who: "competitor", competitorId: "c1", name: "Globex" }
    ])
  })
})
