/** Divides an answer into blocks (M1, M4, M5): paragraphs, code and hidden parts. */
import { closesFence, type OpenFence, openFence } from "./fences.ts"
import { HiddenRegions } from "./hiddenRegions.ts"
import { decodeJsonStrings, isJson } from "./jsonStrings.ts"
import {
  hasPipe,
  isDelimiterRow,
  isSetextUnderline,
  isThematicBreak,
  listMarkerEnd,
  readDefinition,
  skipBlanks,
  skipHeadingMarks,
  skipTaskBox
} from "./lines.ts"
import { NEWLINE, OffsetWriter } from "./offsetText.ts"

/** A leaf block, as a range of {@link Blocks.content}. Its markdown is interpreted only if `markdown` is set. */
export interface Leaf {
  readonly start: number
  readonly end: number
  readonly markdown: boolean
}

/** The text of an answer in leaf blocks, without container marks. */
export interface Blocks {
  readonly content: OffsetWriter
  readonly leaves: ReadonlyArray<Leaf>
  /** Labels of the link reference definitions in the answer, in lower case. */
  readonly definitions: ReadonlySet<string>
  /** Ranges of program code in the raw answer (M4), in order. */
  readonly code: ReadonlyArray<readonly [number, number]>
}

class BlockScanner {
  private readonly content: OffsetWriter
  private readonly leaves: Array<Leaf> = []
  private readonly definitions = new Set<string>()
  private readonly code: Array<readonly [number, number]> = []
  private readonly hidden: HiddenRegions
  private readonly raw: string
  private open = -1
  private quoteDepth = 0
  private inTable = false
  private awaitsTitle = false
  private fence: OpenFence | undefined

  constructor(raw: string) {
    this.raw = raw
    this.content = new OffsetWriter(raw.length + 16)
    this.hidden = new HiddenRegions(raw)
  }

  scan(): Blocks {
    if (/^\s*[{["]/.test(this.raw)) this.content.pushRaw(this.raw, 0, this.raw.length)
    if (isJson(this.content, 0, this.content.length)) this.keepJson(0)
    else {
      this.content.length = 0
      let start = 0
      while (start < this.raw.length) start = this.line(start)
      this.closeFence()
      this.breakBlock()
    }
    return { content: this.content, leaves: this.leaves, definitions: this.definitions, code: this.code }
  }

  /** Reads the line at `start` and returns the start of the next one. */
  private line(start: number): number {
    const end = this.hidden.lineEnd(start, this.fence === undefined)
    if (this.fence === undefined || !this.fenceLine(this.fence, start, end)) this.textLine(start, end)
    return this.raw[end] === "\r" && this.raw[end + 1] === "\n" ? end + 2 : end + 1
  }

  private fenceLine(fence: OpenFence, start: number, end: number): boolean {
    let at = start
    for (let depth = 0; depth < fence.quoteDepth; depth++) {
      const mark = skipBlanks(this.raw, at, end)
      if (this.raw[mark] !== ">") {
        // The end of a quotation also ends the fence in it.
        this.closeFence()
        return false
      }
      at = mark + 1
    }
    if (closesFence(this.raw, at, end, fence)) this.closeFence()
    else if (fence.counted) this.append(at, end)
    else this.code.push([at, end])
    return true
  }

  private textLine(start: number, end: number): void {
    const raw = this.raw
    let at = this.skip(start, end)
    let depth = 0
    while (at < end && raw[at] === ">") {
      depth++
      at = this.skip(at + 1, end)
    }
    if (depth !== this.quoteDepth) this.breakBlock()
    this.quoteDepth = depth
    if (at >= end || isThematicBreak(raw, at, end) || (this.open >= 0 && isSetextUnderline(raw, at, end))) {
      return this.breakBlock()
    }
    for (let marker = listMarkerEnd(raw, at, end); marker > at; marker = listMarkerEnd(raw, at, end)) {
      this.breakBlock()
      at = skipTaskBox(raw, this.skip(marker, end), end)
      while (at < end && raw[at] === ">") at = this.skip(at + 1, end)
    }
    const fence = openFence(raw, at, end, depth)
    if (fence !== undefined) {
      this.breakBlock()
      this.fence = fence
      return
    }
    const heading = skipHeadingMarks(raw, at, end)
    if (heading > at) this.breakBlock()
    if (raw[at] === "[" && this.definition(at, end)) return
    if (
      this.awaitsTitle && this.open < 0 && /^["'(]/.test(raw[at] ?? "") && /["')]\s*$/.test(raw.slice(end - 9, end))
    ) {
      this.awaitsTitle = false
      return
    }
    this.awaitsTitle = false
    if (this.tableLine(at, end)) return
    this.append(heading, end)
    if (heading > at) this.breakBlock()
  }

  /** Reads a link reference definition, which is invisible, or the start of a footnote, whose text counts. */
  private definition(at: number, end: number): boolean {
    const found = readDefinition(this.raw, at, end)
    if (found === undefined) return false
    if (found.footnote) {
      this.breakBlock()
      this.append(found.end, end)
      return true
    }
    // Only an unmistakable definition can interrupt a paragraph
    if (this.open >= 0 && !found.absolute) return false
    this.breakBlock()
    this.definitions.add(found.label.toLowerCase())
    this.awaitsTitle = !found.titled
    return true
  }

  /** Reads a line of a table. Each cell becomes a block; the row of dashes under the header is invisible. */
  private tableLine(at: number, end: number): boolean {
    const raw = this.raw
    if (!this.inTable && raw[at] !== "|") {
      if (!hasPipe(raw, at, end)) return false
      const next = raw[end] === "\r" && raw[end + 1] === "\n" ? end + 2 : end + 1
      if (!isDelimiterRow(raw, next, this.hidden.plainLineEnd(next))) return false
    }
    this.breakBlock()
    this.inTable = true
    if (isDelimiterRow(raw, at, end)) return true
    let cell = at
    for (let i = at; i < end; i++) {
      const unit = raw.charCodeAt(i)
      if (unit === 0x5c) i++
      else if (unit === 0x7c && !this.hidden.covers(i)) {
        this.append(cell, i)
        this.closeLeaf(true)
        cell = i + 1
      }
    }
    if (cell < end) this.append(cell, end)
    this.closeLeaf(true)
    return true
  }

  private skip(at: number, end: number): number {
    let i = skipBlanks(this.raw, at, end)
    for (let after = this.hidden.after(i); after > i; after = this.hidden.after(i)) i = skipBlanks(this.raw, after, end)
    return Math.min(i, end)
  }

  private append(start: number, end: number): void {
    if (this.open < 0) this.open = this.content.length
    else this.content.push(NEWLINE, Math.max(0, start - 1), start)
    this.hidden.visibleRanges(start, end, (from, to) => this.content.pushRaw(this.raw, from, to))
  }

  private closeLeaf(markdown: boolean): void {
    if (this.open >= 0 && this.content.length > this.open) {
      this.leaves.push({ start: this.open, end: this.content.length, markdown })
    }
    this.open = -1
  }

  private breakBlock(): void {
    this.closeLeaf(true)
    this.inTable = false
  }

  private closeFence(): void {
    const fence = this.fence
    this.fence = undefined
    if (fence === undefined) return
    const start = this.open
    if (start >= 0 && fence.data && isJson(this.content, start, this.content.length)) this.keepJson(start)
    else this.closeLeaf(false)
    this.open = -1
  }

  private keepJson(start: number): void {
    const { content, leaves } = this
    decodeJsonStrings(content, start, content.length, content, (from, to) => {
      if (to > from) leaves.push({ start: from, end: to, markdown: false })
    })
  }
}

/** Divides a raw answer into leaf blocks. Takes linear time, never throws, and does not recurse. */
export const scanBlocks = (raw: string): Blocks => new BlockScanner(raw).scan()
