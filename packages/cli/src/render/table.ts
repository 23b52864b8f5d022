/** Plain-text tables. */
import { displayWidth, truncate } from "./displayWidth.ts"
import { renderLabelled } from "./wrapped.ts"

export type TableCell = string | number

const pad = (text: string, width: number, align: "left" | "right"): string => {
  const fill = " ".repeat(Math.max(0, width - displayWidth(text)))
  return align === "right" ? fill + text : text + fill
}

/** Columns as narrow as an id are never cut, and wider columns never below `minColumnWidth`. */
const idWidth = 36
const minColumnWidth = 8

/** Renders each row as a separate block, with one line per cell, or two if the cell is long. */
const renderRowBlocks = (
  header: ReadonlyArray<string>,
  cells: ReadonlyArray<ReadonlyArray<string>>,
  width: number
): string => {
  const room = 2 * (width - Math.max(...header.map(displayWidth)) - 2)
  return cells.map((row) =>
    renderLabelled(header.map((name, i) => [name, truncate(row[i] ?? "", room)]), width).map((line) => `${line}\n`)
      .join("")
  ).join("\n")
}

/**
 * Rows as aligned lines, each ending in a line break. With `header`, for people, columns are aligned and the widest one
 * shrinks to fit `width`; if that is not enough, each row becomes a block. Without `header`, tabs separate the fields
 * and nothing is cut.
 */
export const renderTable = (
  rows: ReadonlyArray<ReadonlyArray<TableCell>>,
  options: {
    readonly header?: ReadonlyArray<string> | undefined
    readonly align: ReadonlyArray<"left" | "right">
    readonly width?: number | undefined
  }
): string => {
  const { header, width = Infinity } = options
  const cells = rows.map((row) => row.map((cell) => String(cell).replace(/[\t\r\n]+/g, " ")))
  if (header === undefined) return cells.map((row) => `${row.join("\t")}\n`).join("")
  const all = [header, ...cells]
  const widths = header.map((_, i) => Math.max(...all.map((row) => displayWidth(row[i] ?? ""))))
  const free = widths.map((column) => column > idWidth)
  while (widths.reduce((a, b) => a + b + 2, -2) > width) {
    // Ids and times are never cut, so that they can be copied
    const widest = widths.reduce(
      (best, column, i) => free[i] === true && column > widths[best]! ? i : best,
      free.indexOf(true)
    )
    if (widest < 0 || widths[widest]! <= minColumnWidth) return renderRowBlocks(header, cells, width)
    widths[widest]!--
  }
  return all.map((row) =>
    row.map((cell, i) => pad(truncate(cell, widths[i]!), widths[i]!, options.align[i] ?? "left")).join("  ").trimEnd() +
    "\n"
  ).join("")
}
