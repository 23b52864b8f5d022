/** Alert rules, crossing by crossing: shares of voice of successive scans, and which of them raise an alert. */
import { type AlertRule, type AnswerId, evaluateAlerts, isConfirmed, type KeywordId, type NewMention } from "@sov/core"
import { describe, expect, it } from "vitest"
import { drop, globex, history, nobodyElse, nothingKnown, overtaken, raised, scanNaming, scanOf } from "./support.ts"

/** Shares of voice in percent; each is that share of 50 answers. */
const sovs = (...shares: ReadonlyArray<number>) => shares.map((share) => scanOf(share / 2))

describe("sov_drop, immediate: the last score at or above the threshold, this one below", () => {
  it.each<[string, ReadonlyArray<number>, ReadonlyArray<number>]>([
    ["first scan ever", [10], []],
    ["first scan ever, then the same", [10, 10, 10], []],
    ["exactly at the threshold", [50, 40, 40], []],
    ["from the threshold to below", [40, 38], [1]],
    ["stays below", [50, 30, 20, 30, 10], [1]],
    ["crosses twice", [50, 30, 50, 30], [1, 3]],
    ["flaps", [40, 38, 40, 38, 40, 38], [1, 3, 5]],
    ["rises", [10, 20, 40, 60], []],
    ["to nothing", [50, 0], [1]]
  ])("the rule raises immediate alerts for %s: %j", (_, shares, expected) => {
    expect(raised(drop(40), sovs(...shares))).toEqual(expected)
  })

  it("the event contains shares and evidence that are not rounded", () => {
    const [before, after] = [scanOf(21), scanOf(19)]
    expect(history(drop(40), [before, after])[1]).toEqual([{
      rule: "sov_drop",
      event: "sov.dropped",
      data: {
        scan_id: after.scanId,
        previous_scan_id: before.scanId,
        previous_sov: before.sov,
        current_sov: after.sov,
        drop: before.sov - after.sov,
        threshold: 40,
        confirmed: false,
        cells_moved: 2,
        n_cells: 50,
        z: expect.closeTo(-1.2783, 4)
      }
    }])
    const few = history(drop(40), [scanOf(5, 0, 10), scanOf(3, 0, 10)])[1]![0]
    expect(few?.data).toMatchObject({ confidence: "low", n_cells: 10, confirmed: false })
  })
})

describe("sov_drop, confirmed: the noise gate decides", () => {
  it.each<[string, ReadonlyArray<number>, ReadonlyArray<number>]>([
    ["first scan ever, far below", [0, 0, 0], []],
    ["a fall that no noise explains", [60, 20], [1]],
    ["a small dip that goes away", [42, 38, 42], []],
    ["a small dip that stays: confirmed by the second scan, not the first", [48, 38, 34], [2]],
    ["one event while it stays below", [60, 20, 20, 10, 0], [1]],
    ["armed again once clearly above", [60, 20, 60, 20], [1, 3]],
    ["not armed by a scan at the threshold: flapping fires once", [60, 20, 40, 20, 40, 20], [1]]
  ])("the rule raises confirmed alerts for %s: %j", (_, shares, expected) => {
    expect(raised(drop(40, "confirmed"), sovs(...shares))).toEqual(expected)
  })

  it("a large fall in answers that vary much is confirmed only if the headline is also marked", () => {
    // 12 answers lost, 4 won: from 50 to 34, t = −2.2
    expect(raised(drop(50, "confirmed"), [scanNaming(0, 25), scanNaming(12, 29)])).toEqual([])
    // 14 lost, 4 won: from 50 to 30, t = −2.7
    expect(raised(drop(50, "confirmed"), [scanNaming(0, 25), scanNaming(14, 29)])).toEqual([1])
  })

  it("a confirmed drop needs three scans in a row if there are few cells", () => {
    const few = (...brands: ReadonlyArray<number>) => brands.map((brand) => scanOf(brand, 0, 10))
    expect(raised(drop(40, "confirmed"), few(8, 0, 0, 0))).toEqual([3])
    expect(raised(drop(40, "confirmed"), few(8, 3, 8, 3))).toEqual([])
  })

  it("an immediate alert contains the decision of the gate", () => {
    const confirmed = (...shares: ReadonlyArray<number>) => history(drop(40), sovs(...shares)).flat().map(isConfirmed)
    expect(confirmed(60, 20)).toEqual([true])
    expect(confirmed(42, 38)).toEqual([false])
  })
})

describe("competitor_overtake", () => {
  const duel = (...pairs: ReadonlyArray<readonly [brand: number, rival: number]>) =>
    pairs.map(([brand, rival]) => scanOf(brand, rival))

  it.each<[string, ReadonlyArray<readonly [number, number]>, ReadonlyArray<number>]>([
    ["first scan ever", [[10, 30]], []],
    ["ahead from the beginning", [[10, 30], [10, 30]], []],
    ["pulls ahead", [[20, 10], [15, 16]], [1]],
    ["level is not ahead", [[20, 10], [15, 15], [15, 15]], []],
    ["from level to ahead", [[15, 15], [15, 16]], [1]],
    ["to and fro", [[20, 10], [10, 20], [20, 10], [10, 20]], [1, 3]]
  ])("an immediate alert about a competitor ahead is raised for %s: %j", (_, pairs, expected) => {
    expect(raised(overtaken(), duel(...pairs))).toEqual(expected)
  })

  it.each<[string, ReadonlyArray<readonly [number, number]>, ReadonlyArray<number>]>([
    ["hardly ahead is not confirmed", [[20, 10], [15, 16], [16, 15], [15, 16]], []],
    ["clearly ahead", [[20, 10], [10, 30]], [1]],
    ["once, until the brand is clearly ahead again", [[20, 10], [10, 30], [15, 14], [10, 30]], [1]],
    ["and again after that", [[20, 10], [10, 30], [30, 10], [10, 30]], [1, 3]]
  ])("a confirmed alert about a competitor ahead is raised for %s: %j", (_, pairs, expected) => {
    expect(raised(overtaken("confirmed"), duel(...pairs))).toEqual(expected)
  })

  it("a confirmed alert about a competitor ahead needs three scans in a row if there are few cells", () => {
    const few = (...pairs: ReadonlyArray<readonly [number, number]>) =>
      pairs.map(([brand, rival]) => scanOf(brand, rival, 10))
    expect(raised(overtaken("confirmed"), few([6, 2], [2, 6], [2, 6], [2, 6]))).toEqual([3])
    expect(raised(overtaken("confirmed"), few([6, 2], [2, 6], [2, 6], [6, 2]))).toEqual([])
  })

  it("an alert names the competitor and the shares, and there is one alert per competitor", () => {
    const alerts = history(overtaken(), duel([20, 10], [10, 30]))[1]!
    expect(alerts).toHaveLength(1)
    expect(alerts[0]).toMatchObject({
      event: "competitor.overtake",
      data: {
        competitor_id: globex,
        competitor_name: "Name of globex",
        brand_sov: 20,
        competitor_sov: 60,
        previous_brand_sov: 40,
        previous_competitor_sov: 20,
        confirmed: true,
        n_cells: 50,
        cells_moved: 40
      }
    })
  })
})

describe("new_mention", () => {
  const found = (n: number, first: boolean): NewMention => ({
    answerId: `answer-${n}` as AnswerId,
    platform: "assistant_a",
    keywordId: `k${n}` as KeywordId,
    mentionCount: 1,
    mentionPosition: 1,
    sentiment: null,
    first
  })
  const evaluate = (
    newMentions: ReadonlyArray<NewMention>,
    sensitivity: AlertRule["sensitivity"],
    scans = [scanOf(10), scanOf(11)]
  ) =>
    evaluateAlerts({
      rules: [{ rule: "new_mention", enabled: true, threshold: null, sensitivity }],
      memory: nothingKnown,
      scans,
      competitorNames: new Map(),
      newMentions,
      ...nobodyElse,
      labels: { simulated: true }
    }).alerts

  it("each scan raises one event that lists the cells, at most 50", () => {
    const all = Array.from({ length: 60 }, (_, n) => found(n, n === 7))
    const [alert, ...more] = evaluate(all, "immediate")
    expect(more).toEqual([])
    expect(alert?.data).toMatchObject({ mentions_total: 60, confirmed: true, z: null, n_cells: 50, simulated: true })
    expect(alert?.event === "mention.detected" && alert.data.mentions).toHaveLength(50)
    expect(evaluate([found(1, false)], "immediate")[0]?.data).toMatchObject({ mentions_total: 1, confirmed: false })
  })

  it("a confirmed alert is raised for first mentions only", () => {
    expect(evaluate([found(1, false)], "confirmed")).toEqual([])
    expect(evaluate([found(1, false), found(2, true)], "confirmed")[0]?.data).toMatchObject({ mentions_total: 1 })
  })

  it("no alert is raised without an earlier scan", () => {
    expect(evaluate([found(1, true)], "immediate", [scanOf(3)])).toEqual([])
    expect(evaluate([], "immediate")).toEqual([])
  })
})
