/**
 * Scans that did not ask the same: keywords come and go, platforms fail. A scan is a line of answers, one place a
 * keyword: `b` names the brand, `g` Globex, `.` nobody; blank = not asked, or failed.
 */
import type { AlertRule } from "@sov/core"
import { describe, expect, it } from "vitest"
import { row } from "../scoring/support.ts"
import { asked, drop, globex, history, overtaken, raised, scanFrom } from "./support.ts"

type Sensitivity = AlertRule["sensitivity"]
const lines = (answers: ReadonlyArray<string>) => answers.map(asked)
/** As many keywords as the gate asks for, times 3. */
const wide = (answers: string) => answers.repeat(6)

describe("sov_drop, threshold 40", () => {
  const nothing: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["keywords added where nobody names it", ["bb..b     ", "bb..b.....", "bb..b.....", "bb..b....."]],
    ["keywords removed where it is named", ["bbb.......", "  b.......", "  b......."].map((line) => `b${line}`)],
    ["an answer failed", ["b.b..", "  b..", "  b..", "b.b.."]],
    ["another answer failed each time", ["bb...", " b...", "b ...", " b...", "bb..."]],
    ["a platform only", ["bbbb......", "     .....", "      ....", "bbbb......"]],
    ["other questions altogether", ["bbbb......          ", "          ..........", "          .........."]]
  ]
  it.each(
    nothing.flatMap(([name, scans]) =>
      (["immediate", "confirmed"] as const).flatMap((sensitivity) =>
        [scans, scans.map(wide)].map((one) => [name, sensitivity, one] as const)
      )
    )
  )("a drop with this cause raises no alert: %s (%s) %j", (_, sensitivity, scans) => {
    expect(raised(drop(40, sensitivity), lines(scans))).toEqual([])
  })

  it("a fall raises an alert although keywords were added, with the shares of the common questions", () => {
    const [, alerts] = history(drop(40), lines(["bbbbb..... ", "bb........bb"]))
    expect(alerts).toMatchObject([{
      data: { previous_sov: 50, current_sov: 20, drop: 30, n_cells: 10, cells_moved: 3 }
    }])
    expect(raised(drop(40, "confirmed"), lines([wide("bbbb."), `${wide(".....")}bbbb`]))).toEqual([1])
  })

  it("a fall is noticed although the scan before it cannot be compared, or fell only because of a failed answer", () => {
    for (const between of ["     .....", "b   ......"]) {
      const scans = lines(["bbbbb.....", between, "bb........", "bb........"])
      const [, , third, fourth] = history(drop(40), scans)
      expect(third).toMatchObject([{ data: { previous_scan_id: scans[0]!.scanId, previous_sov: 50, current_sov: 20 } }])
      expect(fourth).toEqual([])
    }
    // The second one has 16 cells in common with the others: three scans in a row decide
    for (
      const [between, at] of [
        [`${" ".repeat(20)}${".".repeat(10)}`, 2],
        [`${wide("b    ").slice(0, 18)}${".".repeat(12)}`, 3]
      ] as const
    ) {
      const scans = lines([wide("bbb.."), between, wide("....."), wide(".....")])
      expect(raised(drop(40, "confirmed"), scans)).toEqual([at])
    }
  })

  it("a fall caused by other questions disarms the gate until the answers themselves fall", () => {
    const scans = ["bbbbb.....", "bb   .....", "..........", ".........."].map((answers) => answers.repeat(4))
    expect(lines(scans).map(({ sov }) => Math.round(sov * 10) / 10)).toEqual([50, 28.6, 0, 0])
    expect(raised(drop(40, "confirmed"), lines(scans))).toEqual([2])
  })

  it("a gradual drop alerts once, when the score of all questions falls below the threshold", () => {
    const scans = lines(["bbbb......  ", "bbb.......bb", "bbb.......b.", "bb........b."])
    expect(scans.map(({ sov }) => Math.round(sov * 10) / 10)).toEqual([40, 41.7, 33.3, 25])
    expect(raised(drop(40), scans)).toEqual([2])
    expect(raised(drop(40, "confirmed"), lines(["bbb..  ", "....bbb", "....bbb"].map(wide)))).toEqual([])
  })

  it("a crossing that other questions hide raises an alert once they are gone", () => {
    const hidden = lines(["bbbb......  ", "bbb.......bb", "bbb.......  ", "bbb.......  "])
    const [, , third] = history(drop(40), hidden)
    expect(raised(drop(40), hidden)).toEqual([2])
    expect(third).toMatchObject([{ data: { previous_scan_id: hidden[0]!.scanId, previous_sov: 40, current_sov: 30 } }])
  })

  it("scans are compared if at least half of the larger scan's cells are common", () => {
    const before = "bbbbbbbb.."
    expect(raised(drop(40), lines([before, "....."]))).toEqual([1])
    expect(raised(drop(40), lines([before, "...."]))).toEqual([])
    expect(raised(drop(40), lines(["bb", "........."]))).toEqual([])
  })

  it("the pending state of the gate survives a scan that cannot be compared", () => {
    const scans = lines(["bbbbb.....", "bbb.......", "          .....", "bbb.......", "bbb......."])
    expect(raised(drop(40, "confirmed"), scans)).toEqual([4])
  })

  it("alternating scans of other questions do not change the memory of the gate", () => {
    for (const questions of [wide, (answers: string) => answers.repeat(2)]) {
      const other = (answers: string) => questions(" ".repeat(5)) + questions(answers)
      const alone = ["bbb..", "bb...", "b....", "bb...", "b...."].map(questions)
      const inTurn = alone.flatMap((answers) => [answers, other("bbb..")])
      const firing = raised(drop(50, "confirmed"), lines(alone))
      expect(firing).toHaveLength(1)
      expect(raised(drop(50, "confirmed"), lines(inTurn))).toEqual(firing.map((scan) => 2 * scan))
    }
  })

  it("the last score alone decides if both scans asked the same", () => {
    // Below by other keywords, then further below on all: the last score was not at the threshold
    expect(raised(drop(40), lines(["bb..b     ", "bb..b.....", "b.........", "bb..b.....", "b........."]))).toEqual([])
  })
})

describe("competitor_overtake", () => {
  const nothing: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["keywords added where Globex is named", ["bbg..    ", "bbg..gggg", "bbg..gggg"]],
    ["an answer failed", ["bbbgg", " b gg", " b gg", "bbbgg"]],
    ["a platform only", ["bbbbbbgggg", "      gggg", "      gggg", "bbbbbbgggg"]]
  ]
  it.each(
    nothing.flatMap(([name, scans]) =>
      (["immediate", "confirmed"] as const).flatMap((sensitivity) =>
        [scans, scans.map(wide)].map((one) => [name, sensitivity, one] as const)
      )
    )
  )("a competitor that is ahead because of this raises no alert: %s (%s) %j", (_, sensitivity, scans) => {
    expect(raised(overtaken(sensitivity), lines(scans))).toEqual([])
  })

  it.each<[Sensitivity, ReadonlyArray<number>]>([["immediate", [2]], ["confirmed", [2]]])(
    "an %s alert reports a competitor ahead once despite a failed platform, with the shares of the common questions",
    (sensitivity, expected) => {
      const scans = lines(["bbbbbbgggg..", "    bbgggg..", "b...bggggg..", "b...bggggg.."].map(wide))
      expect(raised(overtaken(sensitivity), scans)).toEqual(expected)
      expect(history(overtaken(sensitivity), scans)[2]).toMatchObject([
        {
          data: { competitor_id: globex, brand_sov: 16.6667, previous_brand_sov: 50, previous_competitor_sov: 33.3333 }
        }
      ])
    }
  )
})

describe("competitor_overtake, while other questions keep the brand ahead", () => {
  it("there is no alert until the competitor is ahead in the whole score", () => {
    expect(raised(overtaken(), lines(["bbgg......   ", "bggg......bbb", "bggg......b.."]))).toEqual([2])
    const wideOnes = lines(["bbbg..   ", ".ggg..bbb", ".ggg..bbb"].map((line) => line.repeat(10)))
    expect(raised(overtaken("confirmed"), wideOnes)).toEqual([])
  })

  it("the alert is raised once the other questions are gone", () => {
    expect(raised(overtaken(), lines(["bbgg......   ", "bggg......bbb", "bggg......   ", "bggg......   "]))).toEqual([
      2
    ])
  })
})

describe("a share that differs only by rounding", () => {
  it.each([1e-12, -1e-12])(
    "a share that differs from the threshold only by rounding counts as equal to it: %d",
    (off) => {
      const scan = scanFrom(Array.from({ length: 12 }, (_, k) => row(k, ["b12", "b1", "b123"][k % 3]!)))
      const full = scanFrom(
        scan.cells.flatMap((cell) => cell.rows).map((one) => ({ ...one, competitorsMentioned: [] }))
      )
      for (const sensitivity of ["immediate", "confirmed"] as const) {
        const fallen = [full, scan, scan, scan, full, scan]
        expect(raised(drop(scan.sov + off, sensitivity), fallen)).toEqual([])
        expect(raised(drop(scan.sov + 0.01, sensitivity), fallen)).not.toEqual([])
      }
    }
  )

  it.each([1e-12, -1e-12])(
    "a competitor's share that differs from the brand's only by rounding counts as equal to it: %d",
    (off) => {
      const level = asked("bg..")
      const scans = [
        asked("bb.."),
        { ...level, competitors: new Map([[globex, level.sov + off]]) },
        level,
        asked("b.gg")
      ]
      expect(raised(overtaken(), scans)).toEqual([3])
    }
  )
})
