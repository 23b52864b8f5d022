/** Recognizes links and citation marks at a bracket (M3). */
import type { OffsetText } from "./offsetText.ts"
import { NEWLINE, sliceUnits, SPACE } from "./offsetText.ts"

const isBlank = (unit: number): boolean => unit === SPACE || unit === NEWLINE || unit === 0x09

const maxReferenceLength = 200

const isNumber = (label: string): boolean => /^\d{1,4}$/.test(label)

/**
 * The runs of blanks in a leaf, for binary search. Nested destinations share the blanks after them, so reading the text
 * for each of them would not be linear.
 */
class BlankRuns {
  private readonly ends: Array<number> = []

  constructor(units: Uint16Array, start: number, end: number) {
    for (let i = start; i < end; i++) {
      if (!isBlank(units[i]!)) continue
      while (i < end && isBlank(units[i]!)) i++
      this.ends.push(i)
    }
  }

  /** The end of the first run that ends after `at`; undefined if the leaf has none. */
  nextEnd(at: number): number | undefined {
    let low = 0
    let high = this.ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.ends[middle]! > at) high = middle
      else low = middle + 1
    }
    return this.ends[low]
  }
}

/** Finds the ends of links and images from the bracket pairs of a leaf. Call `enter` first for each leaf. */
export class LinkReader {
  private readonly text: OffsetText
  private readonly pair: Int32Array
  private readonly definitions: ReadonlySet<string>
  private blanks: BlankRuns | undefined
  private start = 0
  private end = 0

  constructor(text: OffsetText, pair: Int32Array, definitions: ReadonlySet<string>) {
    this.text = text
    this.pair = pair
    this.definitions = definitions
  }

  /** Prepares for reading the leaf `[start, end)`. */
  enter(start: number, end: number): void {
    this.blanks = undefined
    this.start = start
    this.end = end
  }

  /**
   * The index after the link or image whose `[` is at `open`: `[…](…)`, `[…][…]`, or `[…]` with a definition; -1 for
   * other text. A numeric reference counts as a link even without a definition, because answers often lack the
   * definition.
   */
  tail(open: number, end: number): number {
    const { pair, text: { units } } = this
    const close = pair[open]!
    if (close === 0) return -1
    const after = close + 1
    if (after < end && units[after] === 0x28) {
      const last = pair[after]!
      if (last > 0 && this.isDestination(after, last)) return last + 1
    }
    if (after < end && units[after] === 0x5b && pair[after]! > 0) {
      const label = this.reference(after + 1, pair[after]!)
      const key = label === "" ? this.reference(open + 1, close) : label
      if (isNumber(label) || this.definitions.has(key)) return pair[after]! + 1
    }
    return this.definitions.size > 0 && this.definitions.has(this.reference(open + 1, close)) ? after : -1
  }

  /** Whether `(open … close)` contains a destination with an optional title. */
  isDestination(open: number, close: number): boolean {
    const { units } = this.text
    let i = skipBlanks(units, open + 1, close)
    if (units[i] === 0x3c) {
      while (i < close && units[i] !== 0x3e) if (units[i++] === NEWLINE || units[i] === 0x3c) return false
      i = skipBlanks(units, i + 1, close)
    } else {
      this.blanks ??= new BlankRuns(units, this.start, this.end)
      i = Math.min(close, this.blanks.nextEnd(i) ?? close)
    }
    if (i >= close) return true
    let last = close - 1
    while (last > i && isBlank(units[last]!)) last--
    const opener = units[i]!
    return last > i && (opener === 0x22 || opener === 0x27 || opener === 0x28) &&
      units[last] === (opener === 0x28 ? 0x29 : opener)
  }

  private reference(start: number, end: number): string {
    return end - start > maxReferenceLength ? "" : sliceUnits(this.text, start, end).trim().toLowerCase()
  }
}

const skipBlanks = (units: Uint16Array, start: number, end: number): number => {
  let i = start
  while (i < end && isBlank(units[i]!)) i++
  return i
}

const maxMarkLength = 200

/** The index after a citation mark at `open` (`[1]`, `[^note]`, `【3†source】`, a model's private mark), or -1. */
export const citationEnd = (text: OffsetText, open: number, end: number, pair: Int32Array): number => {
  const { units } = text
  const unit = units[open]!
  if (unit === 0x5b) {
    const close = pair[open]!
    if (close === 0 || close - open > maxMarkLength) return -1
    if (units[open + 1] === 0x5e && close > open + 2) return close + 1
    if (units[open + 1]! < 0x30 || units[open + 1]! > 0x39) return -1
    const body = sliceUnits(text, open + 1, close)
    if (!/^\d[\d,;\s\u2013-]*$/.test(body) && !/^\d[\d:]*\u2020/.test(body)) return -1
    return close + 1
  }
  const closer = unit === 0x3010 ? 0x3011 : 0xe201
  let dagger = unit !== 0x3010
  for (let i = open + 1; i < end && i - open <= maxMarkLength; i++) {
    if (units[i] === 0x2020) dagger = true
    if (units[i] === closer) return dagger ? i + 1 : -1
  }
  return -1
}
