import { type KeywordId, makeKeywordCourse, type PlatformId, type RowOfScan, type ScanId } from "@sov/core"
import { describe, expect, it } from "vitest"

const scan = (n: number) => `scan ${n}` as ScanId
const row = (n: number, named: boolean, platform: PlatformId = "assistant_a"): RowOfScan => ({
  scanId: scan(n),
  platform,
  keywordId: "k" as KeywordId,
  brandMentioned: named,
  competitorsMentioned: []
})

describe("course of a keyword", () => {
  it("the course is the mean over platforms, and null if a scan has no answer", () => {
    const rows = [row(1, true), row(1, false, "assistant_b"), row(3, true)]
    expect(makeKeywordCourse(rows, [scan(1), scan(2), scan(3)])).toMatchObject({ sov: 100, course: [50, null, 100] })
    expect(makeKeywordCourse(rows, [scan(1), scan(2)])).toMatchObject({ sov: null, course: [50, null] })
    expect(makeKeywordCourse([], [scan(1)])).toEqual({ sov: null, course: [null], recent: null })
  })

  it("the last five scans with an answer are combined", () => {
    const rows = [row(1, true), ...[2, 3, 4, 5, 7].map((n) => row(n, n === 7))]
    const { recent } = makeKeywordCourse(rows, [1, 2, 3, 4, 5, 6, 7].map(scan))
    expect(recent).toMatchObject({ sov: 20, scans: 5, answers: 5 })
    expect(recent!.interval!.low).toBe(0)
    expect(recent!.interval!.high).toBeGreaterThan(20)
  })

  it("the course has no interval if the answers of each platform all agree", () => {
    const steady = [row(1, true), row(1, false, "assistant_b"), row(2, true), row(2, false, "assistant_b")]
    expect(makeKeywordCourse(steady, [scan(1), scan(2)]).recent).toEqual({
      sov: 50,
      interval: null,
      scans: 2,
      answers: 4
    })
    expect(makeKeywordCourse([row(1, true)], [scan(1)]).recent!.interval).toBe(null)
  })
})
