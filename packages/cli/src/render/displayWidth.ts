/** Measures and cuts text by its width in a terminal. */
import { stripVTControlCharacters } from "node:util"

/**
 * Columns that a text needs in a monospace terminal: two for wide East Asian characters and emoji, none for combining
 * marks.
 */
export const displayWidth = (text: string): number => {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of listGraphemes(stripVTControlCharacters(text))) {
    width += /^\p{M}*$/u.test(segment) ? 0 : wide.test(segment) ? 2 : 1
  }
  return width
}
// The segmenter, created on first use
let graphemes: Intl.Segmenter | undefined
const listGraphemes = (text: string): Intl.Segments =>
  (graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })).segment(text)
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u

/** Cuts text to `width` columns; an ellipsis replaces the rest. */
export const truncate = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text
  let out = ""
  for (const { segment } of listGraphemes(text)) {
    if (displayWidth(out + segment) > width - 1) break
    out += segment
  }
  return `${out}…`
}
