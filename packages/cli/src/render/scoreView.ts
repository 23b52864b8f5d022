/** A share of voice as lines of text: the brand's score per platform, and how it stands among its competitors. */
import { bar } from "./bars.ts"
import { scaleOf, sparkline } from "./sparkline.ts"
import { displayWidth, truncate } from "./table.ts"

/** What every picture of a score needs to know about the terminal. */
export interface Canvas {
  readonly width: number
  readonly blocks: boolean
  readonly style: (style: "bold" | "dim" | "yellow", text: string) => string
}

/** A number from simulated answers is never shown without this. */
const label = "SIMULATED"

export interface ScoreRow {
  readonly name: string
  /** 0–100, as shown (rounded); null = no score. */
  readonly value: number | null
  readonly note?: string | undefined
  /** Earlier values, oldest first; null = no score then. */
  readonly history?: ReadonlyArray<number | null> | undefined
  readonly strong?: boolean
}

const longestName = 28

/**
 * Rows of name, bar, number and (where there is a history of at least two) sparkline. Bars are shares of 100 unless all
 * are small; sparklines share one scale.
 */
export const scoreRows = (rows: ReadonlyArray<ScoreRow>, canvas: Canvas, simulated: boolean): ReadonlyArray<string> => {
  const names = rows.map((row) => truncate(row.name, longestName))
  const nameWidth = Math.max(0, ...names.map(displayWidth))
  const histories = rows.flatMap((row) => row.history === undefined || row.history.length < 2 ? [] : [row.history])
  const sparkWidth = Math.max(0, ...histories.map((history) => history.length))
  const sparkMax = scaleOf(histories)
  const used = 2 + nameWidth + 2 + 2 + 5 + (sparkWidth === 0 ? 0 : 2 + sparkWidth) + (simulated ? 2 + label.length : 0)
  const barWidth = Math.min(40, Math.max(8, canvas.width - used))
  const largest = Math.max(0, ...rows.map((row) => row.value ?? 0))
  const full = largest > 50 ? 100 : 50
  return rows.map((row, i) => {
    const name = names[i]! + " ".repeat(nameWidth - displayWidth(names[i]!))
    const number = (row.value === null ? "-" : row.value.toFixed(1)).padStart(5)
    const spark = row.history === undefined || sparkWidth === 0
      ? sparkWidth === 0 ? "" : `  ${" ".repeat(sparkWidth)}`
      : `  ${sparkline(row.history, sparkMax, canvas.blocks).padStart(sparkWidth)}`
    return [
      "  ",
      row.strong === true ? canvas.style("bold", name) : name,
      "  ",
      bar(row.value ?? 0, full, barWidth, canvas.blocks),
      "  ",
      number,
      spark,
      simulated ? `  ${canvas.style("yellow", label)}` : "",
      row.note === undefined ? "" : `  ${canvas.style("dim", row.note)}`
    ].join("").trimEnd()
  })
}

/** " · SIMULATED" where it applies, for the end of a line with numbers. */
export const simulatedMark = (simulated: boolean, canvas: Canvas): string =>
  simulated ? ` · ${canvas.style("yellow", label)}` : ""
