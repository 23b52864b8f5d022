/** Converts spans of a payload, which count in various units within its parts, to spans of the answer's text. */
import { toArchivableText } from "../archive/Answer.ts"
import type { Span } from "./Findings.ts"

const isOffset = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0

/**
 * Finds the parts of a payload in the answer's text, which joins them directly or with a blank line. Returns the offset
 * of each part; null from the first unexpected part on.
 */
export const makePartFinder = (text: string): (part: string) => number | null => {
  let at: number | null = 0
  return (raw) => {
    if (at === null) return null
    const part = toArchivableText(raw)
    const found: number | null = text.startsWith(part, at)
      ? at
      : text.startsWith("\n\n", at) && text.startsWith(part, at + 2)
      ? at + 2
      : null
    at = found === null ? null : found + part.length
    return found
  }
}

/** The offset of each code point of `text`, followed by its length; null if all offsets equal the indexes. */
const codePointOffsets = (text: string): ReadonlyArray<number> | null => {
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return null
  const offsets: Array<number> = []
  for (let offset = 0; offset < text.length; offset += text.codePointAt(offset)! > 0xffff ? 2 : 1) offsets.push(offset)
  offsets.push(text.length)
  return offsets
}

/** Maximum length of a citation that is read to determine the unit; citations are usually short. */
const maxProbe = 1024

const parseHost = (url: unknown): string | null =>
  typeof url === "string" && url.length <= 8192 ? URL.parse(url)?.hostname.replace(/^www\./, "") ?? null : null

/**
 * Creates a reader for `start_index` and `end_index` of an annotation to `url` in `text`. Providers count UTF-16 code
 * units or code points without documenting which. If the two differ, the slice that contains the annotation's host
 * decides; null if neither or both do.
 */
export const makeNoteSpanReader = (text: string): (note: { readonly [name: string]: unknown }) => Span | null => {
  let offsets: ReadonlyArray<number> | null | undefined
  return ({ end_index: end, start_index: start, url }) => {
    if (!isOffset(start) || !isOffset(end) || end <= start) return null
    if (offsets === undefined) offsets = codePointOffsets(text)
    const units = end <= text.length ? { start, end } : null
    if (offsets === null) return units
    const points = end < offsets.length ? { start: offsets[start]!, end: offsets[end]! } : null
    if (units !== null && points !== null && units.start === points.start && units.end === points.end) return units
    const host = parseHost(url)
    const shows = (span: Span | null): span is Span =>
      span !== null && host !== null && span.end - span.start <= maxProbe &&
      text.slice(span.start, span.end).toLowerCase().includes(host)
    const [byUnits, byPoints] = [shows(units), shows(points)]
    return byUnits === byPoints ? null : byUnits ? units : points
  }
}

/**
 * Creates a reader for a segment whose offsets are UTF-8 bytes of `part`; null unless these bytes are the segment's
 * text.
 */
export const makeByteSpanReader = (part: string): (segment: { readonly [name: string]: unknown }) => Span | null => {
  let bytes: Buffer | undefined
  let offsets: Uint32Array | null = null
  const offsetOf = (at: number): number => {
    if (bytes!.length === part.length) return at
    if (offsets === null) {
      offsets = new Uint32Array(bytes!.length + 1)
      let byte = 0
      for (let unit = 0; unit < part.length;) {
        const point = part.codePointAt(unit)!
        offsets[byte] = unit
        byte += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
        unit += point > 0xffff ? 2 : 1
      }
      offsets[byte] = part.length
    }
    return offsets[at]!
  }
  return ({ endIndex: end, startIndex: start = 0, text }) => {
    if (!isOffset(start) || !isOffset(end) || end <= start || typeof text !== "string") return null
    bytes ??= Buffer.from(part, "utf8")
    if (end > bytes.length || end - start !== Buffer.byteLength(text, "utf8")) return null
    if (bytes.toString("utf8", start, end) !== text) return null
    return { start: offsetOf(start), end: offsetOf(end) }
  }
}

/** Moves a span by the offset of its part in the answer; null if either is unknown. */
export const shiftSpan = (span: Span | null, offset: number | null): Span | null =>
  span === null || offset === null ? null : { start: span.start + offset, end: span.end + offset }

/** The first occurrence of each mark's number in the text: `[3]`, `[1, 2]`, `[web:3]`. */
export const findMarks = (text: string): ReadonlyMap<number, Span> => {
  const marks = new Map<number, Span>()
  for (const found of text.matchAll(/\[(?:web:)?(\d{1,4}(?:, ?(?:web:)?\d{1,4}){0,31})\]/g)) {
    for (const number of found[1]!.matchAll(/\d+/g)) {
      const n = Number(number[0])
      if (!marks.has(n)) marks.set(n, { start: found.index, end: found.index + found[0].length })
    }
  }
  return marks
}
