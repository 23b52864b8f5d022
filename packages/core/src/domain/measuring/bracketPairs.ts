/** Pairs the brackets and code spans of a leaf block in one pass, so that links can be read without looking ahead. */
import type { OffsetText } from "./offsetText.ts"

const BACKTICK = 0x60

/** Pairs code spans: maps the start of a backtick run to the start of the closing run, which has the same length. */
const pairCodeSpans = (units: Uint16Array, start: number, end: number, pair: Int32Array): void => {
  const runs: Array<readonly [number, number]> = []
  const byLength = new Map<number, Array<number>>()
  for (let i = start; i < end; i++) {
    if (units[i] !== BACKTICK) continue
    const from = i
    while (i + 1 < end && units[i + 1] === BACKTICK) i++
    const length = i + 1 - from
    const same = byLength.get(length)
    if (same === undefined) byLength.set(length, [runs.length])
    else same.push(runs.length)
    runs.push([from, length])
  }
  const cursor = new Map<number, number>()
  for (let index = 0; index < runs.length; index++) {
    const [from, length] = runs[index]!
    if (from > start && units[from - 1] === 0x5c) continue
    const same = byLength.get(length)!
    let next = cursor.get(length) ?? 0
    while (next < same.length && same[next]! <= index) next++
    cursor.set(length, next)
    if (next >= same.length) continue
    index = same[next]!
    pair[from] = runs[index]![0]
  }
}

/**
 * Fills `pair` for the leaf `[start, end)`: maps the index of an opening `[`, `(` or backtick run to its partner, or to
 * zero. Ignores escaped brackets and brackets in code spans.
 */
export const pairBrackets = (text: OffsetText, start: number, end: number, pair: Int32Array): void => {
  const { units } = text
  let ticks = false
  let brackets = false
  for (let i = start; i < end; i++) {
    const unit = units[i]!
    if (unit === BACKTICK) ticks = true
    else if (unit === 0x5b) brackets = true
  }
  if (ticks) pairCodeSpans(units, start, end, pair)
  if (!brackets) return
  const square: Array<number> = []
  const round: Array<number> = []
  for (let i = start; i < end; i++) {
    const unit = units[i]!
    if (unit === 0x5c) i++
    else if (unit === BACKTICK) {
      const close = pair[i]!
      if (close > 0) i = close
      while (i + 1 < end && units[i + 1] === BACKTICK) i++
    } else if (unit === 0x5b) square.push(i)
    else if (unit === 0x28) round.push(i)
    else if (unit === 0x5d) {
      const open = square.pop()
      if (open !== undefined) pair[open] = i
    } else if (unit === 0x29) {
      const open = round.pop()
      if (open !== undefined) pair[open] = i
    }
  }
}
