/** Reads the inline structure of one leaf block (M1, M3): converts markdown and HTML to visible units. */
import { hostAfter, hostBefore, isAddressLabel, localPartBefore, schemeBefore, urlEnd } from "./addresses.ts"
import type { Leaf } from "./blocks.ts"
import { pairBrackets } from "./bracketPairs.ts"
import { readCharacterReference } from "./characterReferences.ts"
import { CLASS_NONE, classOf, isAsciiAlphanumeric, isAsciiPunctuation } from "./characters.ts"
import { EmphasisMarks } from "./emphasis.ts"
import { HtmlTagReader, isBlockTag, isRaisedTag } from "./htmlTags.ts"
import { citationEnd, LinkReader } from "./links.ts"
import {
  BLOCK_BREAK,
  NEWLINE,
  type OffsetText,
  type OffsetWriter,
  returnBuffer,
  SEPARATOR,
  sliceUnits,
  takeBuffer
} from "./offsetText.ts"

/** An open link: the start of its label in the output, its closing bracket, and the start of the text after it. */
interface OpenLink {
  readonly label: number
  readonly close: number
  readonly next: number
}

/** Units that can be markup; all other units are copied. */
const special = new Uint8Array(0x10000)
for (const char of "\\`*_~![]<&:/@wW\u3010\ue200") special[char.charCodeAt(0)] = 1

/** Scans leaves in order, with tables that are shared by all leaves of an answer. */
export class InlineScanner {
  private readonly text: OffsetText
  private readonly out: OffsetWriter
  private readonly reader: LinkReader
  private readonly tags: HtmlTagReader
  private readonly isName: (label: string) => boolean
  private readonly pair: Int32Array<ArrayBuffer>
  private readonly emphasis = new EmphasisMarks()
  private links: Array<OpenLink> = []
  /** The start of the label of an open HTML anchor in the output, or -1. */
  private anchor = -1
  /**
   * The last closed label that stays visible, and the start of the text after it. Labels nested around it contain the
   * same words, so they are not tested again.
   */
  private closed = { label: -1, next: -1 }
  private floor = 0
  private end = 0

  constructor(
    text: OffsetText,
    out: OffsetWriter,
    definitions: ReadonlySet<string>,
    isName: (label: string) => boolean
  ) {
    this.text = text
    this.out = out
    this.isName = isName
    this.pair = new Int32Array(takeBuffer((text.length + 1) * 4), 0, text.length + 1)
    this.reader = new LinkReader(text, this.pair, definitions)
    this.tags = new HtmlTagReader(text)
  }

  /** Writes the visible text of `leaf`. */
  scan(leaf: Leaf): void {
    const { units } = this.text
    this.floor = this.out.length
    this.end = leaf.end
    this.links = []
    this.anchor = -1
    this.reader.enter(leaf.start, leaf.end)
    if (leaf.markdown) pairBrackets(this.text, leaf.start, leaf.end, this.pair)
    let i = leaf.start
    while (i < leaf.end) {
      const unit = units[i]!
      if (special[unit] === 0) {
        const start = i
        do i++
        while (i < leaf.end && special[units[i]!] === 0)
        this.out.pushFrom(this.text, start, i)
        continue
      }
      const next = leaf.markdown ? this.markup(unit, i, leaf.start) : -1
      i = next >= 0 ? next : this.literal(unit, i)
    }
    this.emphasis.resolve(this.out)
  }

  /** Returns the scanner's buffer to the pool. */
  release(): void {
    returnBuffer(this.pair.buffer)
  }

  private copy(i: number): void {
    this.out.push(this.text.units[i]!, this.text.from[i]!, this.text.to[i]!)
  }

  private mark(unit: number, from: number, to: number): void {
    this.out.push(unit, this.text.from[from]!, this.text.to[to - 1]!)
  }

  /** Replaces the output since `from` with one separator. */
  private cite(from: number, source: number, next: number): number {
    const begin = from < this.out.length ? this.out.from[from]! : this.text.from[source]!
    this.emphasis.forgetFrom(from)
    this.out.length = from
    this.out.push(SEPARATOR, begin, this.text.to[Math.max(next, source + 1) - 1]!)
    return next
  }

  /** Handles markup at `i`; returns -1 if `unit` is ordinary text here. */
  private markup(unit: number, i: number, start: number): number {
    const { units } = this.text
    switch (unit) {
      case 0x5c: {
        const next = i + 1 < this.end ? units[i + 1]! : 0
        if (next === NEWLINE) return i + 1
        if (!isAsciiPunctuation(next)) return -1
        this.out.push(next, this.text.from[i]!, this.text.to[i + 1]!)
        return i + 2
      }
      case 0x60:
        return this.codeSpan(i)
      case 0x2a:
      case 0x5f:
      case 0x7e: {
        let end = i
        const at = this.out.length
        while (end < this.end && units[end] === unit) this.copy(end++)
        this.emphasis.note(
          unit,
          at,
          end - i,
          i > start ? units[i - 1]! : BLOCK_BREAK,
          end < this.end ? units[end]! : BLOCK_BREAK
        )
        return end
      }
      case 0x21: {
        if (units[i + 1] !== 0x5b || i + 1 >= this.end) return -1
        const next = this.reader.tail(i + 1, this.end)
        return next < 0 ? -1 : this.cite(this.out.length, i, next)
      }
      case 0x5b:
        return this.openBracket(i)
      case 0x5d: {
        // A tag that contains the closing bracket can hide the end of a label.
        while (this.links.length > 0 && this.links[this.links.length - 1]!.close < i) this.links.pop()
        const link = this.links[this.links.length - 1]
        if (link === undefined || link.close !== i) return -1
        this.links.pop()
        return this.closeLabel(link.label, i, link.next)
      }
      case 0x3c:
        return this.tag(i)
      case 0x26:
        return this.reference(i)
      default:
        return -1
    }
  }

  private codeSpan(i: number): number {
    const { units } = this.text
    let end = i
    while (end < this.end && units[end] === 0x60) end++
    const close = this.pair[i]!
    if (close === 0) {
      while (i < end) this.copy(i++)
      return end
    }
    let at = end
    while (at < close) at = special[units[at]!] === 0 ? (this.copy(at), at + 1) : this.literal(units[at]!, at)
    return Math.max(at, close + (end - i))
  }

  private openBracket(i: number): number {
    const next = this.reader.tail(i, this.end)
    const citation = citationEnd(this.text, i, this.end, this.pair)
    if (citation >= 0) return this.cite(this.out.length, i, Math.max(next, citation))
    if (next < 0) return -1
    this.links.push({ label: this.out.length, close: this.pair[i]!, next })
    return i + 1
  }

  /** Ends a link's label. A label that is an address is a citation (M3), unless it is a registered name. */
  private closeLabel(label: number, source: number, next: number): number {
    const known = label === this.closed.label && source === this.closed.next
    if (!known && this.isCitedLabel(label)) return this.cite(label, source, next)
    this.closed = { label, next }
    return next
  }

  private isCitedLabel(label: number): boolean {
    // Longer labels are words and not addresses; this limit keeps the time for nested links linear
    if (this.out.length - label > 300) return false
    const shown = sliceUnits(this.out, label, this.out.length).replace(/[*_~]/g, "")
    return isAddressLabel(shown) && !this.isName(shown)
  }

  private tag(i: number): number {
    const tag = this.tags.read(i, this.end)
    // This is not a tag, but a plain `<` or an autolink, whose content is read as an address
    if (tag === undefined) return -1
    if (tag.name === "br") this.mark(NEWLINE, i, tag.end)
    else if (isRaisedTag(tag)) this.mark(SEPARATOR, i, tag.end)
    else if (isBlockTag(tag)) this.mark(BLOCK_BREAK, i, tag.end)
    else if (tag.name === "a") {
      if (!tag.closing) this.anchor = this.out.length
      else if (this.anchor >= 0 && this.anchor <= this.out.length) {
        const label = this.anchor
        this.anchor = -1
        return this.closeLabel(label, i, tag.end)
      }
    }
    return tag.end
  }

  private reference(i: number): number {
    const found = readCharacterReference(this.text.units, i, this.end)
    if (found === undefined) return -1
    // A character reference to a line break is a space and not markup
    const char = found.point < 0x20 ? " " : String.fromCodePoint(found.point)
    for (let k = 0; k < char.length; k++) {
      this.out.push(char.charCodeAt(k), this.text.from[i]!, this.text.to[found.end - 1]!)
    }
    return found.end
  }

  /** Reads addresses and citation marks, which are the same in markdown and plain text (M3). */
  private literal(unit: number, i: number): number {
    const { units } = this.text
    const next = i + 1 < this.end ? units[i + 1]! : 0
    if (unit === 0x3a && next === 0x2f && units[i + 2] === 0x2f && i + 2 < this.end) {
      const start = schemeBefore(this.out.units, this.floor, this.out.length)
      if (start >= 0) return this.cite(start, i, urlEnd(units, i + 3, this.end))
    } else if (unit === 0x2f) {
      const start = hostBefore(this.out.units, this.floor, this.out.length)
      if (start >= 0 && next !== 0x2f) return this.cite(start, i, urlEnd(units, i, this.end))
    } else if (unit === 0x40) {
      const start = localPartBefore(this.out.units, this.floor, this.out.length)
      const end = start >= 0 ? hostAfter(units, i + 1, this.end) : -1
      if (end >= 0) return this.cite(start, i, end)
    } else if (unit === 0x77 || unit === 0x57) {
      const before = this.out.length > this.floor ? this.out.units[this.out.length - 1]! : BLOCK_BREAK
      const word = classOf(before) !== CLASS_NONE && before < 0xe00
      if (!word && isWww(units, i, this.end)) return this.cite(this.out.length, i, urlEnd(units, i, this.end))
    } else if (unit === 0x3010 || unit === 0xe200) {
      const end = citationEnd(this.text, i, this.end, this.pair)
      if (end >= 0) return this.cite(this.out.length, i, end)
    }
    this.copy(i)
    return i + 1
  }
}

const isWww = (units: Uint16Array, i: number, end: number): boolean => {
  if (i + 4 >= end || units[i + 3] !== 0x2e || !isAsciiAlphanumeric(units[i + 4]!)) return false
  return (units[i + 1]! | 0x20) === 0x77 && (units[i + 2]! | 0x20) === 0x77
}
