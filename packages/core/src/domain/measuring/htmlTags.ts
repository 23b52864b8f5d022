/** Reads HTML tags in an answer (M1): tags, attributes and comments are invisible, and some tags end a block. */
import { isAsciiAlphanumeric, isAsciiLetter, isSpaceUnit } from "./characters.ts"
import type { OffsetText } from "./offsetText.ts"

/** A tag: its lower-case name, whether it closes, and the index just past its `>`. */
export interface HtmlTag {
  readonly name: string
  readonly closing: boolean
  readonly end: number
}

const blockNames = new Set(
  ("address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption " +
    "figure footer form h1 h2 h3 h4 h5 h6 head header hr html iframe legend li main menu nav ol optgroup option p " +
    "pre search section select summary table tbody td template textarea tfoot th thead title tr ul").split(" ")
)

/** Whether the tag starts or ends a block (M1). */
export const isBlockTag = (tag: HtmlTag): boolean => blockNames.has(tag.name)

/** Whether the tag marks superscript or subscript, which is a separator, like a superscript digit (M6). */
export const isRaisedTag = (tag: HtmlTag): boolean => tag.name === "sup" || tag.name === "sub"

const maxNameLength = 32

/**
 * Reads the tags of one text in order. All attempts together take linear time: outside quotes another `<` ends an
 * attempt, and each quotation mark is tried only once.
 */
export class HtmlTagReader {
  private readonly text: OffsetText
  /**
   * 1 for each quotation mark that an attempt has opened. After a successful attempt, reading continues after its tag,
   * so its marks are never read again.
   */
  private opened: Uint8Array | undefined

  constructor(text: OffsetText) {
    this.text = text
  }

  /** The tag, declaration or processing instruction whose `<` is at `start`; undefined for plain text. */
  read(start: number, ceiling: number): HtmlTag | undefined {
    const { units } = this.text
    let i = start + 1
    const first = i < ceiling ? units[i]! : 0
    const declaration = first === 0x21 || first === 0x3f
    const closing = first === 0x2f
    if (declaration || closing) i++
    if (i >= ceiling || (!isAsciiLetter(units[i]!) && first !== 0x3f)) return undefined
    const nameStart = i
    while (i < ceiling && i - nameStart < maxNameLength && (isAsciiAlphanumeric(units[i]!) || units[i] === 0x2d)) i++
    const name = declaration ? "!" : String.fromCharCode(...units.subarray(nameStart, i)).toLowerCase()
    const afterName = units[i]!
    if (i < ceiling && !declaration && afterName !== 0x3e && afterName !== 0x2f && !isSpaceUnit(afterName)) {
      return undefined
    }
    const close = this.findClose(i, ceiling)
    return close < 0 ? undefined : { name, closing, end: close + 1 }
  }

  /** The `>` that ends the tag whose attributes start at `start`, or -1. */
  private findClose(start: number, ceiling: number): number {
    const { units } = this.text
    let previous = 0
    for (let i = start; i < ceiling; i++) {
      const unit = units[i]!
      if (unit === 0x3e) return i
      if (unit === 0x3c) return -1
      if ((unit === 0x22 || unit === 0x27) && previous === 0x3d) {
        i = this.closeQuote(i, ceiling)
        if (i < 0) return -1
        previous = unit
      } else if (!isSpaceUnit(unit)) previous = unit
    }
    return -1
  }

  /**
   * The mark that closes the quotation at `open`; -1 if it is missing or if an earlier attempt opened the quotation.
   */
  private closeQuote(open: number, ceiling: number): number {
    const { length, units } = this.text
    this.opened ??= new Uint8Array(length)
    if (this.opened[open] === 1) return -1
    this.opened[open] = 1
    let close = open + 1
    while (close < ceiling && units[close] !== units[open]) close++
    return close < ceiling ? close : -1
  }
}
