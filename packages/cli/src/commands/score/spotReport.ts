/** The odds of a spot check, for programs and people. */
import {
  describeSpotOdds,
  type NamedOdds,
  otherQuestions,
  roundHalfUp,
  simulatedJson,
  spotCaveat,
  type SpotCheck,
  spotCheckJson,
  spotOddsJson
} from "@sov/core/scoring"
import { makeCanvas } from "../../output/canvas.ts"
import { type Column, type Output, printable } from "../../output/Output.ts"
import { rangeText, wrapSentence } from "../../render/scoreView.ts"

interface Row extends NamedOdds {
  readonly by: "all" | "platform" | "tag"
}

const columns: ReadonlyArray<Column<Row>> = [
  { header: "BY", cell: ({ by }) => by },
  { header: "NAME", cell: ({ name }) => printable(name) },
  { header: "ONE ANSWER", cell: ({ odds }) => `${roundHalfUp(odds.odds, 0)} %`, align: "right" },
  { header: "95 %", cell: ({ odds }) => odds.interval === null ? "" : rangeText(odds.interval) },
  {
    header: "THREE MISSES",
    cell: ({ odds }) => odds.threeMisses === null ? "" : `${roundHalfUp(odds.threeMisses, 0)} %`,
    align: "right"
  },
  { header: "95 %", cell: ({ odds }) => odds.threeMissesInterval === null ? "" : rangeText(odds.threeMissesInterval) },
  { header: "ANSWERS", cell: ({ odds }) => odds.answers, align: "right" }
]

/** A flat row, for spreadsheets. */
const rowCsv = ({ by, name, odds }: Row) => {
  const { odds_interval_95, three_misses_between: _, three_misses_interval_95, ...rest } = spotOddsJson(odds)
  return {
    by,
    name,
    ...rest,
    odds_low: odds_interval_95?.low ?? null,
    odds_high: odds_interval_95?.high ?? null,
    three_misses_low: three_misses_interval_95?.low ?? null,
    three_misses_high: three_misses_interval_95?.high ?? null
  }
}

/** Prints the odds overall, by platform and by tag. */
export const printSpotCheck = (out: Output, found: SpotCheck): void => {
  const { all, platforms, scans, tags } = found
  const label = simulatedJson(scans[0]?.simulated === true)
  const empty = "No measured answer counts yet: run sov scan."
  const rows: ReadonlyArray<Row> = [
    ...all === null ? [] : [{ by: "all" as const, name: "", odds: all }],
    ...platforms.map((one) => ({ by: "platform" as const, ...one })),
    ...tags.map((one) => ({ by: "tag" as const, ...one }))
  ]
  if (out.format === "csv") return out.list(rows.map((row) => ({ ...rowCsv(row), ...label })), [], { empty })
  if (out.machine) return out.result(spotCheckJson(found), () => "")
  const say = (text: string) => {
    for (const line of wrapSentence(text, makeCanvas(out), scans[0]?.simulated === true)) out.line(line)
  }
  if (all !== null) say(describeSpotOdds(all))
  out.list(rows, columns, { empty })
  if (all !== null) say(`95 %: ${otherQuestions}. ${spotCaveat}`)
}
