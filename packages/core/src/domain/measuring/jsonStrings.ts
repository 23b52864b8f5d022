/** Reads JSON answers (M5): every key and string value is visible text, in document order, each as a separate block. */
import { type OffsetText, type OffsetWriter, sliceUnits } from "./offsetText.ts"

const QUOTE = 0x22
const BACKSLASH = 0x5c
const escapes = new Map([
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09]
])

/** Whether the units `[start, end)` are a JSON object, array or string. Never throws. */
export const isJson = (text: OffsetText, start: number, end: number): boolean => {
  let first = start
  while (first < end && (text.units[first]! <= 0x20 || text.units[first] === 0xfeff)) first++
  const opener = text.units[first]
  if (first >= end || (opener !== 0x7b && opener !== 0x5b && opener !== QUOTE)) return false
  try {
    JSON.parse(sliceUnits(text, first, end))
    return true
  } catch {
    return false
  }
}

/**
 * Appends the decoded string literals of the JSON text `[start, end)` to `out`, and reports each as a range of `out`.
 * Reads the tokens itself, because `JSON.parse` returns no offsets. `out` can be `text` itself.
 */
export const decodeJsonStrings = (
  text: OffsetText,
  start: number,
  end: number,
  out: OffsetWriter,
  onString: (from: number, to: number) => void
): void => {
  let i = start
  while (i < end) {
    if (text.units[i++] !== QUOTE) continue
    const begin = out.length
    while (i < end && text.units[i] !== QUOTE) {
      const unit = text.units[i]!
      const from = text.from[i]!
      if (unit !== BACKSLASH) {
        out.push(unit, from, text.to[i]!)
        i++
        continue
      }
      const escaped = text.units[i + 1] ?? BACKSLASH
      const width = escaped === 0x75 ? 6 : 2
      const decoded = escaped === 0x75
        ? Number.parseInt(sliceUnits(text, i + 2, i + 6), 16)
        : escapes.get(escaped) ?? escaped
      const last = Math.min(i + width, end) - 1
      out.push(decoded, from, text.to[last]!)
      i += width
    }
    i++
    onString(begin, out.length)
  }
}
