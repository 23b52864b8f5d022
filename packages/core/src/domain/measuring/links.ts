/** Links and citation marks at a bracket (M3). */
import type { OffsetText } from "./offsetText.ts"
import { NEWLINE, SPACE, sliceUnits } from "./offsetText.ts"

const isBlank = (unit: number): boolean => unit === SPACE || unit === NEWLINE || unit === 0x09

/** Whether `(open … close)` holds a destination and perhaps a title. */
const isDestination = (units: Uint16Array, open: number, close: number): boolean => {
  let i = open + 1
  while (i < close && isBlank(units[i]!)) i++
  if (units[i] === 0x3c) {
    while (i < close && units[i] !== 0x3e) if (units[i++] === NEWLINE) return false
    i++
  } else while (i < close && !isBlank(units[i]!)) i++
  while (i < close && isBlank(units[i]!)) i++
  if (i >= close) return true
  let last = close - 1
  while (last > i && isBlank(units[last]!)) last--
  const opener = units[i]!
  return last > i && (opener === 0x22 || opener === 0x27 || opener === 0x28) &&
    units[last] === (opener === 0x28 ? 0x29 : opener)
}

const longestReference = 200
const reference = (text: OffsetText, start: number, end: number): string =>
  end - start > longestReference ? "" : sliceUnits(text, start, end).trim().toLowerCase()

const isNumber = (label: string): boolean => /^\d{1,4}$/.test(label)

/**
 * The index just past the link or image whose `[` is at `open`, or -1 when it is none: `[…](…)`, `[…][…]`, or `[…]`
 * with a definition. A number as reference is a link even when the answer lost its definitions.
 */
export const linkTail = (
  text: OffsetText,
  open: number,
  end: number,
  pair: Int32Array,
  definitions: ReadonlySet<string>
): number => {
  const { units } = text
  const close = pair[open]!
  if (close === 0) return -1
  const after = close + 1
  if (after < end && units[after] === 0x28) {
    const last = pair[after]!
    if (last > 0 && isDestination(units, after, last)) return last + 1
  }
  if (after < end && units[after] === 0x5b && pair[after]! > 0) {
    const label = reference(text, after + 1, pair[after]!)
    const collapsed = label === "" ? reference(text, open + 1, close) : label
    if (isNumber(label) || definitions.has(collapsed)) return pair[after]! + 1
  }
  return definitions.size > 0 && definitions.has(reference(text, open + 1, close)) ? after : -1
}

const longestMark = 200

/** The index just past a citation mark at `open` (`[1]`, `[^note]`, `【3†source】`, a model's private mark), or -1. */
export const citationEnd = (text: OffsetText, open: number, end: number, pair: Int32Array): number => {
  const { units } = text
  const unit = units[open]!
  if (unit === 0x5b) {
    const close = pair[open]!
    if (close === 0 || close - open > longestMark) return -1
    if (units[open + 1] === 0x5e && close > open + 2) return close + 1
    if (units[open + 1]! < 0x30 || units[open + 1]! > 0x39) return -1
    const body = sliceUnits(text, open + 1, close)
    if (!/^\d[\d,;\s\u2013-]*$/.test(body) && !/^\d[\d:]*\u2020/.test(body)) return -1
    const tail = close + 1 < end && units[close + 1] === 0x28 ? pair[close + 1]! : 0
    return tail > 0 && isDestination(units, close + 1, tail) ? tail + 1 : close + 1
  }
  const closer = unit === 0x3010 ? 0x3011 : 0xe201
  let dagger = unit !== 0x3010
  for (let i = open + 1; i < end && i - open <= longestMark; i++) {
    if (units[i] === 0x2020) dagger = true
    if (units[i] === closer) return dagger ? i + 1 : -1
  }
  return -1
}
