/** HTML comments, scripts and style sheets (M1): invisible regions that can span several lines. */

const scriptEnd = /<\/script/gi
const styleEnd = /<\/style/gi

const lineBreak = (raw: string, start: number): number => {
  for (let i = start; i < raw.length; i++) {
    const unit = raw.charCodeAt(i)
    if (unit === 0x0a || unit === 0x0d) return i
  }
  return raw.length
}

/** Finds the ends of lines, ignoring line breaks in hidden regions, and records the regions of the current line. */
export class HiddenRegions {
  private readonly raw: string
  private regions: Array<readonly [number, number]> = []
  // The next `<`, and whether a comment can still be closed. Both are cached, so that scanning stays linear.
  private nextTag = -1
  private commentsClose = true

  constructor(raw: string) {
    this.raw = raw
  }

  /** The end of the raw line at `start`. */
  plainLineEnd(start: number): number {
    return lineBreak(this.raw, start)
  }

  /** The end of the line at `start`. With `markup`, hides comments, scripts and style sheets that start on it. */
  lineEnd(start: number, markup: boolean): number {
    this.regions = []
    let end = lineBreak(this.raw, start)
    if (!markup) return end
    let ticks = 0
    let counted = start
    let first = true
    for (let tag = this.tagFrom(start); tag < end; tag = this.tagFrom(tag)) {
      for (; counted < tag; counted++) if (this.raw.charCodeAt(counted) === 0x60) ticks++
      // In a code span, a tag is plain text
      const close = ticks % 2 === 0 ? this.regionEnd(tag, first && this.raw.slice(start, tag).trim() === "") : tag
      first = false
      if (close > tag) {
        this.regions.push([tag, close])
        counted = close
        if (close > end) end = lineBreak(this.raw, close)
      }
      tag = Math.max(close, tag + 1)
    }
    return end
  }

  /** The index after the hidden region that starts at `at`; `at` itself if no region starts there. */
  after(at: number): number {
    const region = this.regions[this.firstEndingAfter(at)]
    return region !== undefined && region[0] === at ? region[1] : at
  }

  /** Whether `at` is in a hidden region of the current line. */
  covers(at: number): boolean {
    const region = this.regions[this.firstEndingAfter(at)]
    return region !== undefined && region[0] <= at
  }

  /** Calls `onRange` for the visible parts of `[start, end)` in the current line. */
  visibleRanges(start: number, end: number, onRange: (from: number, to: number) => void): void {
    let at = start
    for (let i = this.firstEndingAfter(start); i < this.regions.length; i++) {
      const [from, to] = this.regions[i]!
      if (from >= end) break
      if (from > at) onRange(at, from)
      at = to
    }
    if (at < end) onRange(at, end)
  }

  private firstEndingAfter(at: number): number {
    let low = 0
    let high = this.regions.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.regions[middle]![1] > at) high = middle
      else low = middle + 1
    }
    return low
  }

  private tagFrom(start: number): number {
    if (this.nextTag < start) {
      const found = this.raw.indexOf("<", start)
      this.nextTag = found < 0 ? this.raw.length : found
    }
    return this.nextTag
  }

  private regionEnd(tag: number, opensLine: boolean): number {
    const raw = this.raw
    if (raw.startsWith("<!--", tag)) {
      const close = this.commentsClose ? raw.indexOf("-->", tag + 4) : -1
      if (close >= 0) return close + 3
      this.commentsClose = false
      return opensLine ? raw.length : tag
    }
    const opening = raw.slice(tag, tag + 8).toLowerCase()
    const pattern = /^<script[\s>/]/.test(opening) ? scriptEnd : /^<style[\s>/]/.test(opening) ? styleEnd : undefined
    if (pattern === undefined) return tag
    pattern.lastIndex = tag
    const found = pattern.exec(raw)
    const close = found === null ? -1 : raw.indexOf(">", found.index)
    return close < 0 ? raw.length : close + 1
  }
}
