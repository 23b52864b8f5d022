/** A share of voice as lines of text: the brand's score per platform, and its share among competitors. */
import { formatSigned, type Interval, roundHalfUp } from "@sov/core/scoring"
import { renderBar } from "./bars.ts"
import { displayWidth, truncate } from "./displayWidth.ts"
import { findSharedMax, renderSparkline } from "./sparkline.ts"
import { wrap } from "./wrapped.ts"

/** The properties of the terminal that every view of a score uses. */
export interface Canvas {
  readonly width: number
  readonly blocks: boolean
  readonly style: (style: "bold" | "dim" | "yellow", text: string) => string
  /** Names a platform; by default its identifier. */
  readonly platformName?: (id: string) => string
}

/** Marks every number that comes from simulated answers. */
const simulatedLabel = "SIMULATED"

export interface ScoreRow {
  readonly name: string
  /** From 0 to 100, rounded as it is shown; null if there is no score. */
  readonly value: number | null
  /** 95 % interval of the value. */
  readonly interval?: Interval | null | undefined
  readonly note?: string | undefined
  /** Earlier values, oldest first; null where there was no score. */
  readonly history?: ReadonlyArray<number | null> | undefined
  readonly strong?: boolean
}

const maxNameWidth = 28
const minBarWidth = 4

/** The interval in whole points: "27–41". */
export const rangeText = ({ high, low }: Interval): string => `${roundHalfUp(low, 0)}–${roundHalfUp(high, 0)}`

const rangeOf = (row: ScoreRow): string => row.interval == null ? "" : rangeText(row.interval)

/** The widths and scales that all rows on a screen share, so that their bars are comparable across tables. */
const layoutOf = (rows: ReadonlyArray<ScoreRow>, canvas: Canvas, simulated: boolean) => {
  const histories = rows.flatMap((row) => row.history ?? [])
  const findMaxWidth = (texts: ReadonlyArray<string>) => Math.max(0, ...texts.map(displayWidth))
  const addGap = (width: number) => width === 0 ? 0 : 2 + width
  const nameWidth = findMaxWidth(rows.map((row) => truncate(row.name, maxNameWidth)))
  const rangeWidth = findMaxWidth(rows.map(rangeOf))
  const notes = addGap(findMaxWidth(rows.map((row) => row.note ?? "")))
  const used = 2 + nameWidth + 2 + 2 + 5 + addGap(rangeWidth) + addGap(simulated ? simulatedLabel.length : 0) + notes
  const longest = Math.max(0, ...rows.map((row) => row.history?.length ?? 0))
  // If not all scans fit on the line, the newest ones are shown
  const sparkWidth = Math.max(
    0,
    Math.min(canvas.width - used - 2 - 2 * minBarWidth, longest)
  )
  return {
    nameWidth,
    rangeWidth,
    sparkWidth,
    sparkMax: findSharedMax([histories]),
    barWidth: Math.min(40, Math.max(minBarWidth, canvas.width - used - addGap(sparkWidth))),
    // Shares are small if there are many competitors, so if all shares are at most 50, a share of 50 fills the bar
    barMax: rows.some((row) => (row.value ?? 0) > 50) ? 100 : 50
  }
}

/**
 * Rows of name, bar, number, interval, sparkline (if there is a history) and label. `beside` contains the rows of other
 * tables on the same screen, so that all bars and sparklines have the same scale and width.
 */
export const scoreRows = (
  rows: ReadonlyArray<ScoreRow>,
  canvas: Canvas,
  simulated: boolean,
  beside: ReadonlyArray<ScoreRow> = []
): ReadonlyArray<string> => {
  const layout = layoutOf([...rows, ...beside], canvas, simulated)
  return rows.map((row) => {
    const name = truncate(row.name, maxNameWidth)
    const padded = name + " ".repeat(layout.nameWidth - displayWidth(name))
    const history = layout.sparkWidth === 0 ? [] : (row.history ?? []).slice(-layout.sparkWidth)
    const spark = renderSparkline(history, layout.sparkMax, canvas.blocks).padStart(layout.sparkWidth)
    return [
      `  ${row.strong === true ? canvas.style("bold", padded) : padded}`,
      renderBar(row.value ?? 0, layout.barMax, layout.barWidth, canvas.blocks),
      (row.value === null ? "-" : row.value.toFixed(1)).padStart(5),
      ...layout.rangeWidth === 0 ? [] : [rangeOf(row).padEnd(layout.rangeWidth)],
      ...layout.sparkWidth === 0 ? [] : [spark],
      ...simulated ? [canvas.style("yellow", simulatedLabel)] : [],
      ...row.note === undefined ? [] : [canvas.style("dim", row.note)]
    ].join("  ").trimEnd()
  })
}

/** A share before and after, and whether the difference is more than noise. */
export interface ChangeRow {
  readonly name: string
  readonly before: number
  readonly after: number
  readonly moved: boolean
}

/** Rows of name, before, after, difference and verdict (`MOVED` or `noise`), none wider than the canvas. */
export const changeRows = (
  rows: ReadonlyArray<ChangeRow>,
  canvas: Canvas,
  simulated: boolean,
  beside: ReadonlyArray<ChangeRow> = []
): ReadonlyArray<string> => {
  const numbers = 2 + 5 + 2 + 5 + 2 + 6 + 2 + 5 + (simulated ? 2 + simulatedLabel.length : 0)
  const room = Math.max(8, canvas.width - 2 - numbers)
  const width = Math.min(room, Math.max(0, ...[...rows, ...beside].map((row) => displayWidth(row.name))))
  return rows.map((row) => {
    const name = truncate(row.name, width)
    return [
      `  ${name}${" ".repeat(width - displayWidth(name))}`,
      roundHalfUp(row.before, 1).toFixed(1).padStart(5),
      roundHalfUp(row.after, 1).toFixed(1).padStart(5),
      formatSigned(row.after - row.before).padStart(6),
      row.moved ? canvas.style("bold", "MOVED") : canvas.style("dim", "noise"),
      ...simulated ? [canvas.style("yellow", simulatedLabel)] : []
    ].join("  ")
  })
}

/** " · SIMULATED" at the end of a line whose numbers are simulated; otherwise empty. */
export const simulatedMark = (simulated: boolean, canvas: Canvas): string =>
  simulated ? ` · ${canvas.style("yellow", simulatedLabel)}` : ""

/**
 * Wraps a sentence with numbers into lines that are no wider than the canvas. If the numbers are simulated, the
 * sentence begins with the mark, so that every number comes after it.
 */
export const wrapSentence = (text: string, canvas: Canvas, simulated: boolean): ReadonlyArray<string> => {
  const [first, ...rest] = wrap(`${simulated ? `${simulatedLabel}: ` : ""}${text}`, Math.max(20, canvas.width))
  return [simulated ? first!.replace(simulatedLabel, canvas.style("yellow", simulatedLabel)) : first!, ...rest]
}
