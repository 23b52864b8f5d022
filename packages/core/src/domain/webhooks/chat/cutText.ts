import { oneLine } from "../../oneLine.ts"

// The segmenter, created on first use
let graphemes: Intl.Segmenter | undefined
const listGraphemes = (text: string): Intl.Segments =>
  (graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" })).segment(text)

/**
 * Puts text from outside on one line, escaped by `escape`, in at most `max` UTF-16 units. Longer text is cut between
 * two visible characters, never within an escape, and ends with "…". Empty text becomes "–", because no service accepts
 * an empty text.
 */
export const cutText = (text: string, max: number, escape: (text: string) => string): string => {
  const line = oneLine(text)
  const whole = escape(line)
  if (whole.length <= max) return whole === "" ? "–" : whole
  let kept = ""
  for (const { segment } of listGraphemes(line)) {
    // An escape may span two characters
    if (escape(kept + segment).length > max - 1) break
    kept += segment
  }
  return `${escape(kept)}…`
}
