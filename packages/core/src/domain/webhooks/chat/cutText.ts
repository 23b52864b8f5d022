import { oneLine } from "../../oneLine.ts"

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/**
 * Foreign text on one line, escaped by `escape`, in at most `max` UTF-16 units. What is too long is cut between two characters as
 * readers see them, never in an escape, and ends with "…". Nothing becomes "–": no service takes an empty text.
 */
export const cutText = (text: string, max: number, escape: (text: string) => string): string => {
  const line = oneLine(text)
  const whole = escape(line)
  if (whole.length <= max) return whole === "" ? "–" : whole
  let kept = ""
  for (const { segment } of graphemes.segment(line)) {
    // An escape may begin in one character and end in the next
    if (escape(kept + segment).length > max - 1) break
    kept += segment
  }
  return `${escape(kept)}…`
}
