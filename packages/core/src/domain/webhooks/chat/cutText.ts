import { oneLine } from "../../oneLine.ts"

// Made on first use
let graphemes: Intl.Segmenter | undefined
const listGraphemes = (text: string): Intl.Segments =>
  (graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" })).segment(text)

/**
 * Foreign text on one line, escaped by `escape`, in at most `max` UTF-16 units. What is too long is cut between two
 * characters as readers see them, never in an escape, and ends with "…". Nothing becomes "–": no service takes an empty
 * text.
 */
export const cutText = (text: string, max: number, escape: (text: string) => string): string => {
  const line = oneLine(text)
  const whole = escape(line)
  if (whole.length <= max) return whole === "" ? "–" : whole
  let kept = ""
  for (const { segment } of listGraphemes(line)) {
    // An escape may begin in one character and end in the next
    if (escape(kept + segment).length > max - 1) break
    kept += segment
  }
  return `${escape(kept)}…`
}
