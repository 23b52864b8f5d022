/**
 * Where a scan stands against the bound of a rule, and every step of the noise gate. A scan is a line of answers, a
 * character a keyword: `b` names the brand, `g` Globex, `.` nobody; blank = not asked.
 */
import { type AlertMemory, type AlertRule, evaluateAlerts } from "@sov/core"
import { describe, expect, it } from "vitest"
import { asked, drop, globex, nobodyElse, nothingKnown, overtaken } from "./support.ts"

type Gate = "armed" | "disarmed"

interface Outcome {
  /** Whether the literal condition holds. */
  readonly crossed: boolean
  /** Whether the gate confirms. */
  readonly fires: boolean
  readonly next: Gate
}

/** As many keywords as the gate asks for, times 6. */
const wide = (answers: string) => asked(answers.repeat(6))

const evaluated = (
  ruleOf: (sensitivity: AlertRule["sensitivity"]) => AlertRule,
  memory: Partial<AlertMemory>,
  lines: ReadonlyArray<string>
) => {
  const scans = lines.map(wide)
  const evaluate = (sensitivity: AlertRule["sensitivity"]) =>
    evaluateAlerts({
      rules: [ruleOf(sensitivity)],
      memory: { ...nothingKnown, ...memory },
      scans,
      competitorNames: new Map(),
      newMentions: [],
      ...nobodyElse,
      labels: {}
    })
  const [immediate, confirmed] = [evaluate("immediate"), evaluate("confirmed")]
  expect(confirmed.remember).toEqual(immediate.remember)
  return { crossed: immediate.alerts.length > 0, fires: confirmed.alerts.length > 0, memory: immediate.remember[0] }
}

/** Signal, the answers of successive scans, and what comes of it with the gate armed and disarmed before. */
type Row = readonly [signal: string, scans: ReadonlyArray<string>, armed: Outcome, disarmed: Outcome]

const crossing = { crossed: true } as const
const noCrossing = { crossed: false } as const
const silent = { fires: false } as const

describe("competitor_overtake", () => {
  const rows: ReadonlyArray<Row> = [
    [
      "beyond noise",
      ["bbg..", "ggg.b"],
      { ...crossing, fires: true, next: "disarmed" },
      { ...crossing, ...silent, next: "disarmed" }
    ],
    [
      "crossed within noise",
      ["bg...", "bgg.."].map((line) => `${line}b.g..`),
      { ...crossing, ...silent, next: "armed" },
      { ...crossing, ...silent, next: "disarmed" }
    ],
    [
      "ahead by other questions alone",
      ["bbg..    ", "bbg..gggg"],
      { ...noCrossing, ...silent, next: "disarmed" },
      { ...noCrossing, ...silent, next: "disarmed" }
    ],
    [
      "recovered",
      ["bbg..", "bbbg."],
      { ...noCrossing, ...silent, next: "armed" },
      { ...noCrossing, ...silent, next: "armed" }
    ],
    [
      "inconclusive",
      ["bbg..", "bbg.."],
      { ...noCrossing, ...silent, next: "armed" },
      { ...noCrossing, ...silent, next: "disarmed" }
    ],
    [
      "ahead already, by no more than before",
      ["bgg..", "bgg.."],
      { ...noCrossing, ...silent, next: "armed" },
      { ...noCrossing, ...silent, next: "disarmed" }
    ],
    [
      "ahead already, and now beyond noise",
      ["bgg..", "gggg."],
      { ...noCrossing, fires: true, next: "disarmed" },
      { ...noCrossing, ...silent, next: "disarmed" }
    ]
  ]
  const step = (before: Gate | null, scans: ReadonlyArray<string>) => {
    const ahead = before === "disarmed" ? [globex] : []
    const { memory, ...outcome } = evaluated(
      overtaken,
      before === null ? {} : { competitor_overtake: { ahead } },
      scans
    )
    const next = memory?.rule === "competitor_overtake" && memory.memory?.ahead.includes(globex)
    return { ...outcome, next: next === true ? "disarmed" : "armed" }
  }

  it.each(rows)("the gate for a competitor that pulls ahead decides on %s: %j", (_, scans, armed, disarmed) => {
    expect(step("armed", scans)).toEqual(armed)
    expect(step("disarmed", scans)).toEqual(disarmed)
  })

  it("the previous scan decides about the competitor if there is no memory", () => {
    expect(step(null, ["bbg..", "ggg.b"])).toEqual({ crossed: true, fires: true, next: "disarmed" })
    expect(step(null, ["bgg..", "gggg."])).toEqual({ crossed: false, fires: false, next: "disarmed" })
  })

  it("a gate that only other questions disarmed fires for a crossing from the scan before those questions", () => {
    expect(step("disarmed", ["bbg..    ", "bbg..gggg", "ggg.b    "])).toEqual({
      crossed: true,
      fires: true,
      next: "disarmed"
    })
  })
})

describe("sov_drop, threshold 40", () => {
  const rows: ReadonlyArray<Row> = [
    [
      "beyond noise",
      ["bbb..", "....."],
      { ...crossing, fires: true, next: "disarmed" },
      { ...crossing, ...silent, next: "disarmed" }
    ],
    [
      "crossed within noise",
      ["bb..b.b...", "..bb....b."],
      { ...crossing, ...silent, next: "armed" },
      { ...crossing, ...silent, next: "disarmed" }
    ],
    [
      "below by other questions alone",
      ["bb...     ", "bb........"],
      { ...noCrossing, ...silent, next: "disarmed" },
      { ...noCrossing, ...silent, next: "disarmed" }
    ],
    [
      "recovered",
      ["bb...", "bbbbb"],
      { ...noCrossing, ...silent, next: "armed" },
      { ...noCrossing, ...silent, next: "armed" }
    ],
    [
      "inconclusive",
      ["bb...", "b.b.."],
      { ...noCrossing, ...silent, next: "armed" },
      { ...noCrossing, ...silent, next: "disarmed" }
    ],
    [
      "below already, and now clearly so",
      ["b....", "....."],
      { ...noCrossing, fires: true, next: "disarmed" },
      { ...noCrossing, ...silent, next: "disarmed" }
    ]
  ]
  const step = (before: Gate | null, scans: ReadonlyArray<string>) => {
    const state = { armed: before === "armed" }
    const { memory, ...outcome } = evaluated(
      (sensitivity) => drop(40, sensitivity),
      before === null ? {} : { sov_drop: state },
      scans
    )
    const armed = memory?.rule === "sov_drop" && memory.memory?.armed === true
    return { ...outcome, next: armed ? "armed" : "disarmed" }
  }

  it.each(rows)("the gate for a drop decides on %s: %j", (_, scans, armed, disarmed) => {
    expect(step("armed", scans)).toEqual(armed)
    expect(step("disarmed", scans)).toEqual(disarmed)
  })

  it("the previous scan decides about the drop if there is no memory", () => {
    expect(step(null, ["bbb..", "....."])).toEqual({ crossed: true, fires: true, next: "disarmed" })
    expect(step(null, ["b....", "....."])).toEqual({ crossed: false, fires: false, next: "disarmed" })
  })
})
