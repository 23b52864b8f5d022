/** Words in lines: labels with text beside them. */
import { displayWidth } from "./displayWidth.ts"

/** Words as lines of at most `width` columns; a longer word (a path, an id) stays whole on a line of its own. */
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
 * Rows of a label and its text, the texts in one column, wrapped to `width` where it is known; each line without its
 * break. An empty label continues the row above.
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
