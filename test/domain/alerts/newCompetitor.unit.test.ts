/** Rule `new_competitor`: which names are new, when the gate confirms them, and that each is told once. */
import { describe, expect, it } from "vitest"
import { type Named, newcomersOf, newCompetitor, toldNames, upTo } from "./newcomers.ts"

const immediate = { rule: newCompetitor(), asked: upTo(50) }
const confirmed = { rule: newCompetitor("confirmed"), asked: upTo(50) }
/** Eight cells: two questions on four platforms. */
const few = [0, 1, 2, 3, 5, 6, 7, 8]

describe("immediate", () => {
  it("a name in 3 cells of 2 questions on 2 platforms is reported once if no earlier scan named it", () => {
    const hooli = [0, 6, 12]
    expect(toldNames([{}, { hooli }, { hooli }, {}, { hooli }], immediate)).toEqual([[], ["hooli"], [], [], []])
  })

  it.each<[string, ReadonlyArray<number>]>([
    ["two cells", [0, 6]],
    ["one question", [0, 1, 2, 3, 4]],
    ["one platform", [0, 5, 10, 15]]
  ])("a name in %s is not reported", (_, hooli) => {
    expect(toldNames([{}, { hooli }], immediate)).toEqual([[], []])
  })

  it("one platform is enough if no other platform is asked", () => {
    const asked = [0, 5, 10, 15]
    expect(toldNames([{}, { hooli: asked }], { ...immediate, asked })).toEqual([[], ["hooli"]])
  })

  it("no name is new in the first scan, or after a scan of other questions", () => {
    const hooli = [0, 6, 12, 13]
    expect(toldNames([{ hooli }], immediate)).toEqual([[]])
    const other = (scan: number) => scan === 0 ? [40, 41, 42] : upTo(20)
    expect(toldNames([{}, { hooli }], { ...immediate, asked: other })).toEqual([[], []])
  })

  it("names that come with new questions are not new", () => {
    const asked = (scan: number) => scan === 0 ? upTo(30) : upTo(50)
    expect(toldNames([{}, { hooli: [30, 36, 42, 48] }], { ...immediate, asked })).toEqual([[], []])
  })

  it("a name is not new if any of the last 12 scans contained it in answers to two questions", () => {
    const hooli = [0, 6, 12, 18]
    for (const between of [0, 5, 11]) {
      const history: ReadonlyArray<Named> = [{ hooli: [0, 6] }, ...upTo(between).map(() => ({})), { hooli }]
      expect(toldNames(history, immediate).flat()).toEqual([])
    }
    expect(toldNames([{ hooli: [0, 6] }, ...upTo(12).map(() => ({})), { hooli }], immediate).flat()).toEqual(["hooli"])
  })

  it("a name that one question contained before is new if more cells contain it than chance explains", () => {
    expect(toldNames([{ hooli: [0] }, { hooli: [0, 6, 12, 18] }], immediate).flat()).toEqual([])
    expect(toldNames([{ hooli: [0] }, { hooli: [0, 6, 12, 18, 24, 25, 31] }], immediate).flat()).toEqual(["hooli"])
  })

  it("tracked, ignored and reported names are not reported, and neither are longer names that begin with them", () => {
    const cells = [0, 6, 12]
    expect(
      toldNames([{}, { hooli: cells, "hooli press": cells, "the hooli": cells }], { ...immediate, settled: ["hooli"] })
    )
      .toEqual([[], ["the hooli"]])
  })

  it("one alert per scan reports the evidence for its names", () => {
    const [alert, ...more] = newcomersOf([{}, { hooli: [0, 6, 12], zorvik: [0, 6, 12, 13, 14, 15] }], immediate).flat()
    expect(more).toEqual([])
    expect(alert).toMatchObject({
      previous_scan_id: "scan-0",
      names: [{ name: "hooli", cells: 3, keywords: 3, confirmed: false }, {
        name: "zorvik",
        cells: 6,
        confirmed: true
      }],
      confirmed: true,
      cells_moved: 6,
      n_cells: 50,
      z: expect.closeTo(Math.sqrt(6))
    })
    expect(alert!.names[0]!.platforms).toHaveLength(3)
    expect(newcomersOf([{}, { hooli: [0, 1, 5] }], { ...immediate, asked: few })[1]![0]).toMatchObject({
      confidence: "low",
      confirmed: false
    })
  })
})

describe("confirmed", () => {
  it("a name is reported at once if 6 cells name it for the first time", () => {
    expect(toldNames([{}, { hooli: upTo(6) }], confirmed)).toEqual([[], ["hooli"]])
    expect(toldNames([{}, { hooli: [0, 6, 12, 18, 24] }], confirmed)).toEqual([[], []])
  })

  it("a name is reported if enough cells of one of the next 4 scans contain it again", () => {
    const hooli = [0, 6, 12]
    expect(toldNames([{}, { hooli }, { hooli }], confirmed)).toEqual([[], [], ["hooli"]])
    expect(toldNames([{}, { hooli }, {}, { hooli: [0, 6] }, {}, { hooli }], confirmed).flat()).toEqual(["hooli"])
    expect(toldNames([{}, { hooli }, {}, {}, {}, {}, { hooli }], confirmed).flat()).toEqual([])
  })

  it("a rule with fewer than 20 cells always waits for a second scan", () => {
    const all = { hooli: few }
    expect(toldNames([{}, all, all], { ...confirmed, asked: few })).toEqual([[], [], ["hooli"]])
  })

  it("scans of other questions in between do not end the waiting time", () => {
    const asked = (scan: number) => scan === 2 ? [40, 41, 42] : upTo(30)
    const hooli = [0, 6, 12]
    expect(toldNames([{}, { hooli }, {}, { hooli }], { ...confirmed, asked }).flat()).toEqual(["hooli"])
  })
})
