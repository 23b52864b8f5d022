/** Wraps text into lines, with labels beside it. */
import { displayWidth } from "./displayWidth.ts"

/**
 * Wraps words into lines of at most `width` columns. A longer word, such as a path or id, stays whole on a line by
 * itself.
 */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last !== undefined && displayWidth(last) + 1 + displayWidth(word) <= width) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines
}

/**
 * Rows of a label and its text, with the texts in one column, wrapped to `width` if it is known. The lines have no line
 * breaks. A row with an empty label continues the row above.
 */
export const renderLabelled = (
  rows: ReadonlyArray<readonly [label: string, text: string]>,
  width: number | undefined,
  style: (label: string) => string = (label) => label
): ReadonlyArray<string> => {
  const column = Math.max(...rows.map(([label]) => displayWidth(label))) + 2
  return rows.flatMap(([label, text]) => {
    const lines = width === undefined ? [text] : wrap(text, Math.max(20, width - column))
    return lines.map((line, n) =>
      n === 0 && label !== ""
        ? style(label) + " ".repeat(column - displayWidth(label)) + line
        : " ".repeat(column) + line
    )
  })
}
