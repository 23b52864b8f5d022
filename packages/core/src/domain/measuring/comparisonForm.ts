/** The comparison form (M6): NFKC, case folding, no format characters, no Latin/Greek/Arabic/Hebrew diacritics. */
import { CLASS_ARABIC, CLASS_HEBREW, CLASS_LATIN, classOf, isSeparatorSymbol, readCodePoint } from "./characters.ts"
import { BLOCK_BREAK, NEWLINE, type OffsetText, OffsetWriter, SEPARATOR, SPACE } from "./offsetText.ts"

/** The original case of one folded unit, as bits of {@link FoldedText.written}. */
export const WRITTEN_UPPER = 1
export const WRITTEN_LOWER = 2

/** Text in comparison form, with the original case of each unit. */
export interface FoldedText extends OffsetText {
  readonly written: Uint8Array
}

interface Fold {
  readonly text: string
  readonly written: number
}

const REMOVED: Fold = { text: "", written: 0 }
const BLANK: Fold = { text: " ", written: 0 }
const LINE: Fold = { text: "\n", written: 0 }

// Matches format characters (Cf), Arabic tatweel and default-ignorable characters.
const removable = /^[\p{Cf}\p{Default_Ignorable_Code_Point}\u0640]/u
const markPattern = /^\p{M}/u
const greek = /^\p{Script=Greek}/u
const foldable = /^[\p{L}\p{M}\p{Nd}\p{Nl}\p{P}\p{Sm}\p{Sc}]/u
/** Code points that fold to an apostrophe. */
export const apostrophes = new Set([
  0x27,
  0x60,
  0xb4,
  0x2018,
  0x2019,
  0x201b,
  0x2bb,
  0x2bc,
  0x2032,
  0x5f3,
  0xa78c,
  0xff07
])
const hyphens = new Set([0x2d, 0x2010, 0x2011, 0x2012, 0x2013, 0xfe63, 0xff0d])
/** Trade mark, registered, copyright and service marks, which fold to a space, so that "Acme® Cloud" is one name. */
const blankSigns = new Set([0x2122, 0xae, 0xa9, 0x2120])
/** Folds for Latin letters without a canonical decomposition (M6), the final sigma, and alef with wasla. */
const letters = new Map([
  ["ø", "o"],
  ["đ", "d"],
  ["ł", "l"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ß", "ss"],
  ["ı", "i"],
  ["ς", "σ"],
  ["\u0671", "\u0627"]
])
const KEYCAP = 0x20e3

const classifyLetterCase = (decomposed: string): number => {
  let written = 0
  for (const char of decomposed) {
    if (char !== char.toLowerCase()) written |= WRITTEN_UPPER
    else if (char !== char.toUpperCase()) written |= WRITTEN_LOWER
  }
  return written
}

const dropsMarks = (base: string): boolean => {
  const found = classOf(base.codePointAt(0)!)
  return found === CLASS_LATIN || found === CLASS_ARABIC || found === CLASS_HEBREW || greek.test(base)
}

/** Folds a base character (starter) together with the marks that follow it. */
const foldCluster = (cluster: string): Fold => {
  const decomposed = cluster.normalize("NFKD")
  let base = ""
  let out = ""
  for (const char of decomposed.toLowerCase()) {
    if (markPattern.test(char)) {
      if (char.codePointAt(0) === KEYCAP) return { text: String.fromCharCode(SEPARATOR), written: 0 }
      if (base !== "" && dropsMarks(base)) continue
      // ё folds to е (M6); other Cyrillic marks, such as that of й, distinguish letters
      if (char === "\u0308" && base === "\u0435") continue
      out += char
    } else {
      base = char
      out += letters.get(char) ?? char
    }
  }
  return { text: out.normalize("NFC"), written: classifyLetterCase(decomposed) }
}

/** Folds a code point that is not followed by a mark. */
export const foldPoint = (point: number): Fold => {
  if (point === NEWLINE || point === 0x2028 || point === 0x2029 || point === 0x85) return LINE
  if (apostrophes.has(point)) return { text: "'", written: 0 }
  if (point >= 0x201c && point <= 0x201f) return { text: "\"", written: 0 }
  if (hyphens.has(point)) return { text: "-", written: 0 }
  if (blankSigns.has(point)) return BLANK
  if (point >= 0xd800 && point <= 0xdfff) return { text: String.fromCharCode(point), written: 0 }
  const char = String.fromCodePoint(point)
  if (removable.test(char)) return REMOVED
  if (/^\s/u.test(char)) return BLANK
  if (isSeparatorSymbol(point) || !foldable.test(char)) return { text: char, written: 0 }
  return foldCluster(char)
}

// Caches the folds of units, which are computed on demand. A unit always folds the same way.
const folds: Array<Fold | undefined> = []
const foldOf = (point: number): Fold => {
  if (point > 0xffff) return foldPoint(point)
  return folds[point] ??= foldPoint(point)
}

/**
 * Limit of UAX 15's Stream-Safe Text Format: no language has longer runs of marks, and normalizing longer runs is not
 * linear.
 */
const maxClusterLength = 32

const isMark = (unit: number): boolean =>
  unit >= 0x300 &&
  (unit === 0xff9e || unit === 0xff9f || (unit >= 0x1160 && unit <= 0x11ff) || foldMarks(unit))
const marks = new Uint8Array(0x10000)
const foldMarks = (unit: number): boolean => {
  const known = marks[unit]!
  if (known !== 0) return known === 2
  const found = markPattern.test(String.fromCharCode(unit)) && foldOf(unit) !== REMOVED
  marks[unit] = found ? 2 : 1
  return found
}
/** Whether `unit` can change how the unit before it folds. This cheap test avoids looking ahead in most text. */
const mayExtend = (unit: number): boolean =>
  unit === 0xad || (unit >= 0x300 && (isMark(unit) || foldOf(unit) === REMOVED))

/** The end of the cluster at `start`: after its last mark, or after the starter if it has no marks. */
const clusterEnd = (units: Uint16Array, start: number, afterBase: number, length: number): number => {
  let end = afterBase
  let count = 0
  for (let i = afterBase; i < length && count < maxClusterLength; i++) {
    const unit = units[i]!
    if (isMark(unit)) {
      count++
      end = i + 1
    } else if (unit < 0xad || foldOf(unit) !== REMOVED || i - start > 1024) break
  }
  return end
}

const removeIgnorable = (units: Uint16Array, start: number, end: number): string => {
  let out = ""
  for (let i = start; i < end; i++) {
    const unit = units[i]!
    if (unit < 0xad || foldOf(unit) !== REMOVED) out += String.fromCharCode(unit)
  }
  return out
}

/**
 * The folds of visible ASCII, which is most of an answer, for units without a following mark. Zero for all other units.
 */
const asciiFold = new Uint8Array(0x80)
const asciiWritten = new Uint8Array(0x80)
for (let unit = 0x21; unit < 0x7f; unit++) {
  const { text, written } = foldOf(unit)
  asciiFold[unit] = text.charCodeAt(0)
  asciiWritten[unit] = written
}

/** An {@link OffsetWriter} that also records the original case of each unit. */
export class FoldWriter extends OffsetWriter implements FoldedText {
  written: Uint8Array

  constructor(capacity: number) {
    super(capacity)
    this.written = new Uint8Array(this.from.buffer, capacity * 10, capacity)
  }

  override reserve(count: number): void {
    super.reserve(count)
    if (this.written.length === this.units.length) return
    const grown = new Uint8Array(this.units.length)
    grown.set(this.written)
    this.written = grown
  }

  pushWritten(unit: number, start: number, end: number, how: number): void {
    this.push(unit, start, end)
    this.written[this.length - 1] = how
  }

  pushBlank(unit: number, start: number, end: number): void {
    const last = this.length === 0 ? BLOCK_BREAK : this.units[this.length - 1]!
    if (last === BLOCK_BREAK) return
    if (last === SPACE) {
      if (unit === NEWLINE) this.units[this.length - 1] = NEWLINE
    } else if (last === NEWLINE) {
      if (unit === NEWLINE) this.units[this.length - 1] = BLOCK_BREAK
    } else this.pushWritten(unit, start, end, 0)
  }
}

/**
 * Converts visible text to comparison form. A run of white space becomes one space, one line feed if it contains one
 * line break, or a block break if it contains several. Hyphens become `-`, apostrophes `'`. Takes linear time and never
 * throws.
 */
export const foldText = (text: OffsetText): FoldWriter => {
  const { units, from, to, length } = text
  const out = new FoldWriter(length + 16)
  let i = 0
  while (i < length) {
    const unit = units[i]!
    const plain = unit < 0x80 && (i + 1 >= length || units[i + 1]! < 0xad) ? asciiFold[unit]! : 0
    if (plain !== 0) {
      out.pushWritten(plain, from[i]!, to[i]!, asciiWritten[unit]!)
      i++
      continue
    }
    if (unit === SPACE) {
      out.pushBlank(SPACE, from[i]!, to[i]!)
      i++
      continue
    }
    if (unit === BLOCK_BREAK) {
      if (out.length > 0 && out.units[out.length - 1] !== BLOCK_BREAK) out.pushWritten(BLOCK_BREAK, from[i]!, to[i]!, 0)
      i++
      continue
    }
    const point = readCodePoint(units, i, length)
    let end = point > 0xffff ? i + 2 : i + 1
    let fold = foldOf(point)
    if (end < length && fold !== REMOVED && mayExtend(units[end]!)) {
      const extended = clusterEnd(units, i, end, length)
      if (extended > end && fold !== BLANK && fold !== LINE) {
        end = extended
        fold = isSeparatorSymbol(point) ? fold : foldCluster(removeIgnorable(units, i, end))
      }
    }
    if (fold === BLANK) out.pushBlank(SPACE, from[i]!, to[i]!)
    else if (fold === LINE) out.pushBlank(NEWLINE, from[i]!, to[i]!)
    else {
      const start = from[i]!
      const stop = to[end - 1]!
      for (let k = 0; k < fold.text.length; k++) out.pushWritten(fold.text.charCodeAt(k), start, stop, fold.written)
    }
    i = end
  }
  return out
}

/** Converts plain text, such as a term, to an {@link OffsetText} whose offsets refer to that text. */
export const makeLiteralText = (raw: string): OffsetWriter => {
  const out = new OffsetWriter(raw.length)
  out.pushRaw(raw, 0, raw.length)
  return out
}

/** The unit that replaces `unit` when terms are compared: space, hyphen and line break are equal (M7). */
export const toComparableUnit = (unit: number): number => unit === NEWLINE || unit === 0x2d ? SPACE : unit

/** A term's comparison form as a string: trimmed, with hyphens and line breaks replaced by spaces. */
export const toComparisonForm = (raw: string): string => {
  const literal = makeLiteralText(raw)
  const folded = foldText(literal)
  literal.release()
  let out = ""
  for (let i = 0; i < folded.length; i++) out += String.fromCharCode(toComparableUnit(folded.units[i]!))
  folded.release()
  return out.trim()
}
