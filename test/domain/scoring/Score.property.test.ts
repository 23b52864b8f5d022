import {
  type CompetitorId,
  type KeywordId,
  type PlatformId,
  platformIds,
  roundHalfUp,
  type ScanId,
  type ScoredRow,
  scoreRow,
  scoreScan
} from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const competitors = ["c1", "c2", "c3"] as ReadonlyArray<string> as ReadonlyArray<CompetitorId>
const keywords = ["k1", "k2", "k3", "k4"] as ReadonlyArray<string> as ReadonlyArray<KeywordId>

const row: fc.Arbitrary<ScoredRow> = fc.record({
  platform: fc.constantFrom<PlatformId>(...platformIds),
  keywordId: fc.constantFrom(...keywords),
  brandMentioned: fc.boolean(),
  competitorsMentioned: fc.subarray([...competitors])
})
const rows = fc.array(row, { minLength: 1, maxLength: 40 })

const score = (given: ReadonlyArray<ScoredRow>, branded: ReadonlyArray<KeywordId> = []) =>
  scoreScan({
    scanId: "s" as ScanId,
    measureVersion: 1,
    trackedSetVersion: 1,
    icuVersion: "77.1",
    rows: given,
    keywordIds: keywords,
    topics: new Map(),
    brandedKeywords: new Set(branded),
    competitorIds: competitors,
    answers: given.length,
    failedCount: 0,
    noOverviewCount: 0
  })

describe("share of voice", () => {
  it("the documented example gives 25: the brand and three rivals are named", () => {
    expect(scoreRow({ brandMentioned: true, competitorsMentioned: competitors })).toBe(25)
    expect(scoreRow({ brandMentioned: false, competitorsMentioned: competitors })).toBe(0)
  })

  it("a share of voice is in 0–100, and the shares of brand, competitors and nobody add up to 100", () => {
    fc.assert(fc.property(rows, (given) => {
      const { avgSov, competitors: shares, nobody } = score(given)
      expect(avgSov).toBeGreaterThanOrEqual(0)
      expect(avgSov).toBeLessThanOrEqual(100)
      expect(shares.reduce((sum, one) => sum + one.sov, avgSov! + nobody!)).toBeCloseTo(100, 9)
    }))
  })

  it("an additional brand mention never lowers the share, and an additional competitor mention never raises it", () => {
    fc.assert(fc.property(rows, fc.nat(), (given, at) => {
      const index = at % given.length
      const before = score(given).avgSov!
      const named = given.with(index, { ...given[index]!, brandMentioned: true })
      const rivals = given.with(index, { ...given[index]!, competitorsMentioned: competitors })
      expect(score(named).avgSov!).toBeGreaterThanOrEqual(before - 1e-9)
      expect(score(rivals).avgSov!).toBeLessThanOrEqual(before + 1e-9)
    }))
  })

  it("the share depends neither on the order of rows nor on the number of samples per cell", () => {
    fc.assert(fc.property(rows, (given) => {
      expect(score(given.toReversed()).avgSov).toBeCloseTo(score(given).avgSov!, 9)
      expect(score([...given, ...given]).avgSov).toBeCloseTo(score(given).avgSov!, 9)
    }))
  })

  it("a platform with many answers has no more weight than a platform with few", () => {
    const a = { keywordId: keywords[0]!, competitorsMentioned: [] }
    const many = keywords.map((keywordId) => ({
      ...a,
      keywordId,
      platform: "assistant_a" as const,
      brandMentioned: true
    }))
    const one = { ...a, platform: "assistant_b" as const, brandMentioned: false }
    const { avgSov, lowCoverage, platformBreakdown } = score([...many, one])
    expect(avgSov).toBe(50)
    expect(platformBreakdown).toEqual({ assistant_a: 100, assistant_b: 0 })
    expect(lowCoverage).toEqual(["assistant_b"])
  })

  it("branded questions are left out of the headline unless all questions are branded", () => {
    const branded = {
      platform: "assistant_a" as const,
      keywordId: keywords[0]!,
      brandMentioned: true,
      competitorsMentioned: []
    }
    const plain = { ...branded, keywordId: keywords[1]!, brandMentioned: false }
    expect(score([branded, plain], [keywords[0]!])).toMatchObject({
      avgSov: 0,
      brandedOnly: false,
      resultsCount: 2,
      mentionedCount: 1
    })
    expect(score([branded], [keywords[0]!])).toMatchObject({ avgSov: 100, brandedOnly: true })
  })

  it("the share is null rather than 0 if there are no answers", () => {
    expect(score([])).toMatchObject({ avgSov: null, platformBreakdown: {}, nobody: null })
  })
})

it.each([[2.5, 0, 3], [0.05, 1, 0.1], [33.335, 2, 33.34], [1.005, 2, 1.01], [99.94, 1, 99.9], [-0, 0, 0]])(
  "the number %f, rounded half up at %i decimals, is %f",
  (value, digits, expected) => expect(roundHalfUp(value, digits)).toBeCloseTo(expected, 12)
)
