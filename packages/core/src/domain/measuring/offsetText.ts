/**
 * Text that remembers where it came from: UTF-16 units, each with the `[from, to)` range of the raw text behind it.
 * Every stage from the raw answer to the comparison form is one of these, so a hit always leads back to the answer.
 */

/** A block edge: no term, quotation or clause reaches across it. */
export const WALL = 0
/** Something that is shown but is no text to measure (an address, a citation mark, an image). */
export const SEPARATOR = 1
export const NEWLINE = 0x0a
export const SPACE = 0x20

/** UTF-16 units with their offsets into the raw text; only the first `length` entries are meaningful. */
export interface OffsetText {
  readonly units: Uint16Array
  readonly from: Int32Array
  readonly to: Int32Array
  readonly length: number
}

/** Grows an {@link OffsetText} unit by unit; `length` may be lowered to take units back. */
export class OffsetWriter implements OffsetText {
  units: Uint16Array
  from: Int32Array
  to: Int32Array
  length = 0

  constructor(capacity: number) {
    this.units = new Uint16Array(capacity)
    this.from = new Int32Array(capacity)
    this.to = new Int32Array(capacity)
  }

  /** Appends one unit that stands for `[from, to)` of the raw text. */
  push(unit: number, from: number, to: number): void {
    if (this.length === this.units.length) this.grow()
    this.units[this.length] = unit
    this.from[this.length] = from
    this.to[this.length] = to
    this.length++
  }

  private grow(): void {
    const capacity = this.length * 2 + 16
    const units = new Uint16Array(capacity)
    const from = new Int32Array(capacity)
    const to = new Int32Array(capacity)
    units.set(this.units)
    from.set(this.from)
    to.set(this.to)
    this.units = units
    this.from = from
    this.to = to
  }
}

/** The units `[start, end)` as a string. */
export const sliceUnits = (text: OffsetText, start: number, end: number): string => {
  let out = ""
  // The argument list of one call is bounded, so long ranges are decoded piecewise.
  for (let i = start; i < end; i += 4096) {
    out += String.fromCharCode(...text.units.subarray(i, Math.min(end, i + 4096)))
  }
  return out
}
