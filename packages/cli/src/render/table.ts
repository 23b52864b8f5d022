/** Plain-text tables. */
import { stripVTControlCharacters } from "node:util"

export type TableCell = string | number

/** Columns that a text takes in a monospace terminal: wide East Asian characters and emoji count two, marks none. */
export const displayWidth = (text: string): number => {
  let width = 0
  for (const { segment } of segments.segment(stripVTControlCharacters(text))) {
    width += /^\p{M}*$/u.test(segment) ? 0 : wide.test(segment) ? 2 : 1
  }
  return width
}
const segments = new Intl.Segmenter(undefined, { granularity: "grapheme" })
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u

/** Cuts text to `width` columns, with an ellipsis in place of what is lost. */
export const truncate = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text
  let out = ""
  for (const { segment } of segments.segment(text)) {
    if (displayWidth(out + segment) > width - 1) break
    out += segment
  }
  return `${out}…`
}

const pad = (text: string, width: number, align: "left" | "right"): string => {
  const fill = " ".repeat(Math.max(0, width - displayWidth(text)))
  return align === "right" ? fill + text : text + fill
}

/** Columns up to the width of an id are never cut, others not below `narrowest`. */
const idWidth = 36
const narrowest = 8

/**
 * Rows as aligned lines, each ending in a line break. With `header` (a person reads it) columns are aligned and the
 * widest one shrinks to fit `width`; without, fields are separated by tabs and nothing is cut.
 */
export const table = (
  rows: ReadonlyArray<ReadonlyArray<TableCell>>,
  options: {
    readonly header?: ReadonlyArray<string> | undefined
    readonly align: ReadonlyArray<"left" | "right">
    readonly width?: number | undefined
  }
): string => {
  const cells = rows.map((row) => row.map((cell) => String(cell).replace(/[\t\r\n]+/g, " ")))
  if (options.header === undefined) return cells.map((row) => `${row.join("\t")}\n`).join("")
  const all = [options.header, ...cells]
  const widths = options.header.map((_, i) => Math.max(...all.map((row) => displayWidth(row[i] ?? ""))))
  const free = widths.map((width) => width > idWidth)
  while (widths.reduce((a, b) => a + b + 2, -2) > (options.width ?? Infinity)) {
    // Ids and times stay whole: they are there to be copied.
    const widest = widths.reduce(
      (best, width, i) => free[i] === true && width > widths[best]! ? i : best,
      free.indexOf(true)
    )
    if (widest < 0 || widths[widest]! <= narrowest) break
    widths[widest]!--
  }
  return all.map((row) =>
    row.map((cell, i) => pad(truncate(cell, widths[i]!), widths[i]!, options.align[i] ?? "left")).join("  ").trimEnd() +
    "\n"
  ).join("")
}
