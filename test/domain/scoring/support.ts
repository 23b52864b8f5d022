/** Rows of scans, written short. */
import { type CompetitorId, type KeywordId, type PlatformId, platformIds, type ScoredRow } from "@sov/core"
import fc from "fast-check"

export const rivals = ["r1", "r2", "r3"] as ReadonlyArray<string> as ReadonlyArray<CompetitorId>
export const keywordId = (n: number) => `k${n}` as KeywordId

/** An answer by the names in it: "b" the brand, a digit a competitor ("b12"), "" nobody. */
export const row = (keyword: number, named: string, platform: PlatformId = "assistant_a"): ScoredRow => ({
  platform,
  keywordId: keywordId(keyword),
  brandMentioned: named.includes("b"),
  competitorsMentioned: rivals.filter((id) => named.includes(id.slice(1)))
})

/** One answer per keyword on one platform, keywords counted from 1. */
export const rowsOf = (named: ReadonlyArray<string>, platform: PlatformId = "assistant_a") =>
  named.map((one, i) => row(i + 1, one, platform))

/** Any scan: up to 12 keywords, all platforms, samples, holes. */
export const anyRows: fc.Arbitrary<ReadonlyArray<ScoredRow>> = fc.array(
  fc.record({
    platform: fc.constantFrom(...platformIds),
    keywordId: fc.integer({ min: 1, max: 12 }).map(keywordId),
    brandMentioned: fc.boolean(),
    competitorsMentioned: fc.subarray([...rivals])
  }),
  { minLength: 1, maxLength: 80 }
)
