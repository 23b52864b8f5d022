/**
 * Decides from the letters of a raw answer, without reading its markup, whether a name can occur in it. The test may
 * report a name that measuring does not find, but it never misses one. It reduces the CPU time of a rescore to a
 * quarter.
 */
import { apostrophes, foldPoint } from "./comparisonForm.ts"
import { returnBuffer, SPACE, takeBuffer } from "./offsetText.ts"
import { buildAutomaton } from "./termAutomaton.ts"

/**
 * Kinds of units:
 * - `mark`: markup within words ("**Ac**me"), which is skipped
 * - `begin`: `<`; `end`: `)` or `>`. The text between them may be invisible
 * - `both`: `]`, which can begin or end such text
 * - `many`: a unit that folds to zero or several letters
 * - `pair`: a surrogate
 */
const kinds = { other: 1, letter: 2, mark: 3, begin: 4, end: 5, both: 6, many: 7, pair: 8 }

const markup = new Map([
  ...Array.from("*_~`\\[", (sign) => [sign, kinds.mark] as const),
  ["<", kinds.begin],
  [")", kinds.end],
  [">", kinds.end],
  ["]", kinds.both]
])

/**
 * Removes diacritics from letters in comparison form, so that the letters of a text are those of its characters, in
 * order.
 */
const baseLetters = (folded: string): string => folded.normalize("NFD").replace(/\p{M}/gu, "")

const isWordLike = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

// The kinds found so far, by code unit or code point
const kindOfUnit = new Uint8Array(0x10000)
const letterOfUnit = new Uint16Array(0x10000)
const lettersOfPoint = new Map<number, string>()

const findLetters = (point: number): string => {
  const known = lettersOfPoint.get(point)
  if (known !== undefined) return known
  const letters = baseLetters(foldPoint(point).text)
  lettersOfPoint.set(point, letters)
  return letters
}

const learnKind = (unit: number): number => {
  const letters = unit >= 0xd800 && unit <= 0xdfff ? "" : baseLetters(foldPoint(unit).text)
  const isLetter = isWordLike(letters)
  letterOfUnit[unit] = isLetter ? letters.charCodeAt(0) : SPACE
  const kind = markup.get(String.fromCharCode(unit))
  if (kind !== undefined) return kind
  if (unit >= 0xd800 && unit <= 0xdfff) return kinds.pair
  if (letters.length !== 1) return kinds.many
  return isLetter ? kinds.letter : kinds.other
}

for (let unit = 0; unit < 0x80; unit++) kindOfUnit[unit] = learnKind(unit)

/** Matches a character reference that may encode a letter or be invisible. Excludes references to frequent signs. */
const reference = /&(?!(?:amp|lt|gt|quot|apos|nbsp|#39);)(?:#x?[0-9a-f]{1,7}|[a-z0-9]{2,14});/i
const escapedLetter = /\\u[0-9a-f]{4}/i

/** Matches a hidden region, which can split a reference: "&sh<!-- -->y;". */
const hiddenRegion = /<(?:!--|script|style)/i

/** Whether the text may contain letters that are encoded as character references. */
const hasCodedLetters = (raw: string): boolean =>
  (raw.includes("&") && (reference.test(raw) || hiddenRegion.test(raw))) ||
  (raw.includes("\\u") && escapedLetter.test(raw))

/** The letters of a text. The caller must return the buffer of `units` to the pool. */
interface Letters {
  readonly units: Uint16Array<ArrayBuffer>
  readonly length: number
  /** Indexes at which invisible text may begin. */
  readonly begins: ReadonlyArray<number>
  /** Whether a letter directly follows text that may be invisible, so that a word may continue there. */
  readonly joins: boolean
}

const grow = (units: Uint16Array<ArrayBuffer>, capacity: number): Uint16Array<ArrayBuffer> => {
  const grown = new Uint16Array(takeBuffer(2 * capacity), 0, capacity)
  grown.set(units)
  returnBuffer(units.buffer)
  return grown
}

/**
 * Reads the letters. Undefined if there is a lone surrogate, because two of them may join when the text between them is
 * hidden.
 */
const readLetters = (raw: string): Letters | undefined => {
  // Always large enough for one more letter per unread unit
  let units = new Uint16Array(takeBuffer(2 * (raw.length + 64)), 0, raw.length + 64)
  const begins: Array<number> = []
  let length = 0
  let ended = false
  let joins = false
  for (let i = 0; i < raw.length; i++) {
    const unit = raw.charCodeAt(i)
    const kind = kindOfUnit[unit]! || (kindOfUnit[unit] = learnKind(unit))
    if (kind === kinds.letter || kind === kinds.other) {
      units[length++] = letterOfUnit[unit]!
      if (ended) {
        joins ||= kind === kinds.letter
        ended = false
      }
    } else if (kind === kinds.many || kind === kinds.pair) {
      const point = raw.codePointAt(i)!
      if (kind === kinds.pair && point <= 0xffff) {
        returnBuffer(units.buffer)
        return undefined
      }
      const letters = findLetters(point)
      const needed = length + letters.length + raw.length - i
      if (needed > units.length) units = grow(units, 2 * needed)
      for (let k = 0; k < letters.length; k++) units[length++] = letters.charCodeAt(k)
      if (letters !== "") {
        joins ||= ended && isWordLike(letters)
        ended = false
      }
      if (point > 0xffff) i++
    } else if (kind !== kinds.mark) {
      if (kind !== kinds.end) begins.push(length)
      units[length++] = SPACE
      ended = kind !== kinds.begin
    }
  }
  return { units, length, begins, joins }
}

/** The words of a name in comparison form, in base letters. An apostrophe separates words. */
const wordsOf = (form: string): ReadonlyArray<string> =>
  Array.from(form, (char) => apostrophes.has(char.codePointAt(0)!) ? " " : char).join("")
    .match(/[\p{L}\p{N}\p{M}]+/gu)?.map(baseLetters).filter((word) => word !== "") ?? []

/**
 * Maximum length of a searched text, because this thread also serves requests. Longer texts are measured on another
 * thread.
 */
const maxLength = 65_536

/**
 * Creates a test of raw texts (answers, prompts) for names in comparison form. It returns false only if no name occurs
 * in the visible text or in the label of a link. It reads the text at most three times.
 */
export const makeNameFilter = (forms: Iterable<string>): (raw: string) => boolean => {
  const names = [...new Set(forms)].map(wordsOf)
  const words = [...new Set(names.flat())]
  const wanted = names.map((name) => name.map((word) => words.indexOf(word)))
  const automaton = buildAutomaton(words)
  return (raw) => {
    if (wanted.length === 0) return false
    if (raw.length > maxLength || hasCodedLetters(raw)) return true
    const letters = readLetters(raw)
    if (letters === undefined) return true
    const { begins, joins, length, units } = letters
    const found = new Uint8Array(words.length)
    automaton.search(units, length, (word) => {
      found[word] = 1
    })
    const possible = wanted.some((name) => name.every((word) => found[word] === 1)) ||
      (joins && automaton.endsWithin(units, begins))
    returnBuffer(units.buffer)
    return possible
  }
}
