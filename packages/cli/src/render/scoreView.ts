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

/** Widths and scales that all rows on a screen share, so that bars can be compared from table to table. */
const layoutOf = (rows: ReadonlyArray<ScoreRow>, canvas: Canvas, simulated: boolean) => {
  const histories = rows.flatMap((row) => row.history ?? [])
  const nameWidth = Math.max(0, ...rows.map((row) => displayWidth(truncate(row.name, longestName))))
  const sparkWidth = Math.max(0, ...rows.map((row) => row.history?.length ?? 0))
  const used = 2 + nameWidth + 2 + 2 + 5 + (sparkWidth === 0 ? 0 : 2 + sparkWidth) + (simulated ? 2 + label.length : 0)
  return {
    nameWidth,
    sparkWidth,
    sparkMax: scaleOf([histories]),
    barWidth: Math.min(40, Math.max(8, canvas.width - used)),
    // Shares are small where many compete: then half of everything fills the bar.
    barMax: rows.some((row) => (row.value ?? 0) > 50) ? 100 : 50
  }
}

/**
 * Rows of name, bar, number, sparkline (where there is a history) and label. `beside` are rows of other tables on the
 * same screen: bars and sparklines of all of them share one scale and one width.
 */
export const scoreRows = (
  rows: ReadonlyArray<ScoreRow>,
  canvas: Canvas,
  simulated: boolean,
  beside: ReadonlyArray<ScoreRow> = []
): ReadonlyArray<string> => {
  const layout = layoutOf([...rows, ...beside], canvas, simulated)
  return rows.map((row) => {
    const name = truncate(row.name, longestName)
    const padded = name + " ".repeat(layout.nameWidth - displayWidth(name))
    const spark = sparkline(row.history ?? [], layout.sparkMax, canvas.blocks).padStart(layout.sparkWidth)
    return [
      `  ${row.strong === true ? canvas.style("bold", padded) : padded}`,
      bar(row.value ?? 0, layout.barMax, layout.barWidth, canvas.blocks),
      (row.value === null ? "-" : row.value.toFixed(1)).padStart(5),
      ...layout.sparkWidth === 0 ? [] : [spark],
      ...simulated ? [canvas.style("yellow", label)] : [],
      ...row.note === undefined ? [] : [canvas.style("dim", row.note)]
    ].join("  ").trimEnd()
  })
}

/** " · SIMULATED" where it applies, for the end of a line with numbers. */
export const simulatedMark = (simulated: boolean, canvas: Canvas): string =>
  simulated ? ` · ${canvas.style("yellow", label)}` : ""
