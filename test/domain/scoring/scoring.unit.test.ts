/**
 * One worked example for each formula. The expected numbers were computed apart from this code: by hand where the line
 * says so, else with the textbook form of the formula in Python (its `math` module; t points by integrating the density
 * with Simpson's rule).
 */
import {
  averageCells,
  competitorShare,
  findMovements,
  groupIntoCells,
  keywordInterval,
  mentionRate,
  nobodyShare,
  type PlatformId,
  platformIds,
  predictNext,
  samplingInterval,
  type ScoredRow,
  scoreRow,
  selectHeadlineCells,
  t95
} from "@sov/core"
import { describe, expect, it } from "vitest"
import { keywordId, rivals, row, rowsOf } from "./support.ts"

const near = (low: number, high: number) => ({ low: expect.closeTo(low, 2), high: expect.closeTo(high, 2) })
const trend = (before: ReadonlyArray<ScoredRow>, after: ReadonlyArray<ScoredRow>) =>
  findMovements([groupIntoCells(before), groupIntoCells(after)], rivals)?.trend ?? null

describe("Student's t", () => {
  it.each([[1, 12.7062], [1.5, 6.0167], [2, 4.3027], [2.5, 3.5747], [3.3, 3.0249], [7.8, 2.3163]])(
    "Student's t at %f degrees of freedom is %f or at most 3 %% wider",
    (df, exact) => {
      expect(t95(df)).toBeGreaterThanOrEqual(exact - 0.0001)
      expect(t95(df)).toBeLessThanOrEqual(exact * 1.03)
    }
  )
  it.each([[30, 2.0423], [30.5, 2.0409], [31, 2.0395], [100, 1.984], [1e9, 1.96]])(
    "Student's t at %f degrees of freedom is %f",
    (df, exact) => expect(t95(df)).toBeCloseTo(exact, 3)
  )
})

describe("average", () => {
  it("the averages of keyword, platform and scan match those computed by hand", () => {
    // a: k1 (100 + 0) / 2 = 50, k2 25 → 37.5; b: k1 0 → 0; average 18.75
    const cells = groupIntoCells([row(1, "b"), row(1, "1"), row(2, "b123"), row(1, "", "assistant_b")])
    expect(averageCells(cells, scoreRow)).toBe(18.75)
    // r1: a: k1 (0 + 100) / 2, k2 25 → 37.5; b: 0. nobody: b: 100 → 50. With r2, r3 (6.25 each) all add up to 100
    expect(averageCells(cells, competitorShare(rivals[0]!))).toBe(18.75)
    expect(averageCells(cells, nobodyShare)).toBe(50)
    expect(averageCells(cells, competitorShare(rivals[1]!))).toBe(6.25)
    expect(averageCells([], scoreRow)).toBeNull()
  })

  it("branded prompts are left out if there are other prompts", () => {
    const branded = new Set([keywordId(1)])
    const both = selectHeadlineCells([row(1, "b"), row(2, "")], branded, new Map())
    expect([both.brandedOnly, averageCells(both.cells, scoreRow)]).toEqual([false, 0])
    const only = selectHeadlineCells([row(1, "b")], branded, new Map())
    expect([only.brandedOnly, averageCells(only.cells, scoreRow)]).toEqual([true, 100])
  })
})

describe("interval of a share", () => {
  it("the interval of one platform, by hand, is 40 with dispersion .669, t of 6 degrees of freedom and 5 / .669 topics", () => {
    // Brand and competitor have topic means of variance .175: dispersion 7 / 11 = .175 / (.24 + .035), which is shrunk
    // to 1 by one of 9 degrees of freedom; of it and the own dispersion 8 : 2
    const cells = groupIntoCells(rowsOf(["b", "b1", "b1", "1", ""]))
    expect(keywordInterval(cells, scoreRow)).toEqual(near(11.48, 77.42))
    const twice = groupIntoCells([
      ...rowsOf(["b", "b1", "b1", "1", ""]),
      ...rowsOf(["b", "b1", "b1", "1", ""], "assistant_b")
    ])
    // A second platform that says the same is no further topic
    expect(keywordInterval(twice, scoreRow)).toEqual(near(11.48, 77.42))
  })

  it("the interval narrows when platforms balance: means 50, 50, 50, 0, 50 have dispersion .2, shrunk to 1 by one of 4", () => {
    const balanced = groupIntoCells([
      ...rowsOf(["b", "b", "", "", ""]),
      ...rowsOf(["", "", "b", "", "b"], "assistant_b")
    ])
    expect(keywordInterval(balanced, scoreRow)).toEqual(near(13.32, 74.31))
  })

  it("an interval needs two topics", () => {
    expect(keywordInterval(groupIntoCells(rowsOf(["b"])), scoreRow)).toBeNull()
    expect(keywordInterval(groupIntoCells(rowsOf(["b", ""])), scoreRow)).toEqual(near(0.31, 99.69))
    const oneTopic = groupIntoCells(rowsOf(["b", ""])).map((cell) => ({ ...cell, topic: "anvils" }))
    expect(keywordInterval(oneTopic, scoreRow)).toBeNull()
  })

  it("the questions of a topic count once: ten questions in five topics are five observations", () => {
    const named = ["b", "b1", "b1", "1", ""]
    const pairs = groupIntoCells(rowsOf([...named, ...named])).map((cell, i) => ({ ...cell, topic: `t${i % 5}` }))
    expect(keywordInterval(pairs, scoreRow)).toEqual(near(11.48, 77.42))
  })

  it("the interval for 'never' and for 'always' leaves uncertainty", () => {
    const all = (named: string) => groupIntoCells(rowsOf(Array.from({ length: 10 }, () => named)))
    expect(keywordInterval(all(""), scoreRow)).toEqual(near(0, 33.85))
    expect(keywordInterval(all("b"), scoreRow)).toEqual(near(66.15, 100))
  })
})

describe("interval from samples", () => {
  it("the interval of 20 cells of three answers, six of which differ once, is 70 ± 2.1788 · √16.667", () => {
    // s² of (100, 100, 0) is 3333.33; Σ w² s²/3 = 6 · 1111.11 / 400 = 16.6667; Satterthwaite: 6 cells · 2 = 12 df, t
    // 2.1788
    const cells = groupIntoCells(
      Array.from({ length: 20 }, (_, k) => [0, 1, 2].map((s) => row(k, k < 6 && s === 2 ? "" : k < 16 ? "b" : "")))
        .flat()
    )
    expect(averageCells(cells, scoreRow)).toBeCloseTo(70, 9)
    expect(samplingInterval(cells, scoreRow)).toEqual(near(70 - 2.1788 * Math.sqrt(16.6667), 70 + 2.1788 * 4.08248))
  })

  it("an interval needs samples that differ", () => {
    expect(samplingInterval(groupIntoCells(rowsOf(["b", "", "b", "", "b"])), scoreRow)).toBeNull()
  })
})

describe("mention rate", () => {
  it.each([[8, 20, 40, 21.88, 61.34], [0, 10, 0, 0, 27.75], [10, 10, 100, 72.25, 100]])(
    "a rate of %i in %i is %f %%, with Wilson's interval from %f to %f",
    (mentioned, answers, rate, low, high) =>
      expect(mentionRate(mentioned, answers)).toMatchObject({ rate, ...near(low, high) })
  )
  it("the rate is unknown without answers", () => expect(mentionRate(0, 0)).toBeNull())
})

describe("the change since the scan before", () => {
  it("the change, by hand, is −20 points (−50 on two of five cells), too few cells to be more than noise", () => {
    expect(trend(rowsOf(["b", "b1", "1", "b1", "b"]), rowsOf(["b", "1", "1", "b1", "b1"]))).toMatchObject({
      before: 60,
      after: expect.closeTo(40, 9),
      delta: expect.closeTo(-20, 9),
      nCells: 5,
      z: 0,
      direction: "flat"
    })
  })

  it("only cells that both scans answered are compared, at least 5 and at least half", () => {
    const ten = rowsOf(Array.from({ length: 10 }, () => "b"))
    expect(trend(ten.slice(0, 5), ten)).toMatchObject({ nCells: 5, delta: 0 })
    expect(trend(ten.slice(0, 4), ten.slice(0, 4))).toBeNull()
    expect(trend(ten.slice(0, 5), [...ten, row(11, "b")])).toBeNull()
    expect(trend([...ten, row(11, "b")], ten.slice(0, 5))).toBeNull()
  })
})

describe("movements beyond noise", () => {
  const keywords = Array.from({ length: 20 }, (_, k) => k + 1)
  const everywhere = (named: (keyword: number, platform: number) => string) =>
    groupIntoCells(keywords.flatMap((k) => platformIds.map((platform, p) => row(k, named(k, p), platform))))
  const moved = (...scans: ReadonlyArray<ReturnType<typeof everywhere>>) => {
    const found = findMovements(scans, rivals)!
    return [...found.platforms, ...found.keywords].filter((one) => one.beyondNoise).map((one) => one.id as string)
  }
  /** Of 100 cells, ten change by chance from scan to scan: no keyword more than twice. */
  const noisy = (scan: number) => (k: number, p: number) => (k + p + 3 * scan) % 10 === 0 ? "b" : "1"

  it("single answers that change here and there are not a movement", () => {
    expect(moved(everywhere(noisy(0)), everywhere(noisy(1)))).toEqual([])
    expect(moved(...[0, 1, 2, 3, 4].map((scan) => everywhere(noisy(scan))))).toEqual([])
  })

  it("a keyword that changes on all platforms at once, against four earlier scans, is a movement", () => {
    const scan = (n: number, lost: boolean) => everywhere((k, p) => k === 7 ? lost ? "1" : "b" : noisy(n)(k, p))
    expect(moved(...[0, 1, 2, 3].map((n) => scan(n, false)), scan(4, true))).toEqual(["k7"])
  })

  it("a platform that changes for most keywords is a movement", () => {
    const gone = (k: number, p: number) => p === 2 && k > 4 ? "1" : "b"
    const before = [0, 1, 2, 3].map((n) => everywhere((k, p) => noisy(n)(k, p) === "b" ? "1" : "b"))
    expect(moved(...before, everywhere(gone))).toContain("assistant_c")
  })
})

describe("prediction of the next scan", () => {
  const before = groupIntoCells(rowsOf(["b", "b1", "1", "b1", "b"]))
  const after = groupIntoCells(rowsOf(["b", "1", "1", "b1", "b1"]))

  it("the prediction alone, by hand, has σ² = 100 and 2 degrees of freedom: 50 ± 4.3027 · √150, clipped", () => {
    expect(predictNext([before, after], scoreRow, [])).toMatchObject({ expected: 50, nCells: 5, ...near(0, 100) })
  })

  it("the prediction with a competitor's noise, by hand, has 2 more degrees: 50 ± 2.7764 · √150 = 50 ± 34.00", () => {
    const rival = competitorShare(rivals[0]!)
    expect(predictNext([before, after], scoreRow, [rival])).toMatchObject(near(16, 84))
  })

  it("an unchanged prediction uses the rule of three (three of ten cells): 100 − 1.96 · √(1.5 · 1.5 · 100² / 100)", () => {
    const ten = groupIntoCells(rowsOf(Array.from({ length: 10 }, () => "b")))
    expect(predictNext([ten, ten], scoreRow, [])).toMatchObject({ expected: 100, ...near(70.6, 100) })
  })

  it("a brand that was never named has the same chance as other brands in the prediction", () => {
    const rival = competitorShare(rivals[0]!)
    const never = ["1", "12", "1", "", "1"].map((named) => groupIntoCells(rowsOf([named, "1", "1", "1", "2"])))
    const { high, low } = predictNext(never, scoreRow, [rival])!
    expect(low).toBe(0)
    expect(high).toBeGreaterThan(20)
  })

  it("the prediction uses up to four pairs of scans, and needs two comparable scans", () => {
    const quiet = groupIntoCells(rowsOf(["b", "b1", "1", "b1", "b"]))
    const one = predictNext([quiet, before, after], scoreRow, [])!
    expect(one.high - one.low).toBeLessThan(100)
    expect(predictNext([after], scoreRow, [])).toBeNull()
    expect(predictNext([before, after.slice(0, 4)], scoreRow, [])).toBeNull()
  })

  it("if one platform of three answers with another model, there is no prediction until its next scan", () => {
    const scan = (model: string, named: string) =>
      groupIntoCells(
        (["assistant_a", "assistant_b", "assistant_c"] as const).flatMap((platform) =>
          rowsOf(Array.from({ length: 6 }, () => platform === "assistant_c" ? named : "b"), platform).map((one) => ({
            ...one,
            origin: { model: platform === "assistant_c" ? model : "same", search: null }
          }))
        )
      )
    const scans = [scan("old", "b"), scan("old", "b"), scan("new", "1"), scan("new", "1")]
    expect([2, 3, 4].map((n) => predictNext(scans.slice(0, n), scoreRow, [])?.expected ?? null)).toEqual([
      100,
      null,
      expect.closeTo(66.67, 2)
    ])
  })
})

it("a platform that answered too few keywords to show its spread gives no interval", () => {
  const answer = (platform: PlatformId, n: number, brandMentioned: boolean): ScoredRow => ({
    platform,
    keywordId: `k${n}` as ScoredRow["keywordId"],
    brandMentioned,
    competitorsMentioned: []
  })
  const grid = Array.from({ length: 20 }, (_, n) => answer("assistant_a", n, n % 3 === 0))
  const beside = (answered: number) =>
    keywordInterval(
      groupIntoCells([...grid, ...grid.slice(0, answered).map((_, n) => answer("assistant_b", n, n === 0))]),
      scoreRow
    )
  expect(keywordInterval(groupIntoCells(grid), scoreRow)).not.toBeNull()
  expect([1, 9].map(beside)).toEqual([null, null])
  expect(beside(10)).not.toBeNull()
})
