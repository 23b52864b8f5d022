/**
 * Whether a name can be in an answer, told from the letters of the raw answer, without reading its markup. It errs on
 * one side only: a name that measuring finds is always possible here.
 */
import { apostrophes, foldPoint } from "./comparisonForm.ts"
import { giveBuffer, SPACE, takeBuffer } from "./offsetText.ts"
import { buildAutomaton } from "./termAutomaton.ts"

/**
 * What a unit of a raw answer is to the words in it. `mark`: markup that a word goes on behind ("**Ac**me"), left out
 * · `begin`, `end`: `<` and `)` and `>`, between which any text may be invisible; `]` is `both` · `many`: its letters
 * are more than one, or none · `pair`: half of a code point.
 */
const kinds = { other: 1, letter: 2, mark: 3, begin: 4, end: 5, both: 6, many: 7, pair: 8 }

const markup = new Map([
  ...Array.from("*_~`\\[", (sign) => [sign, kinds.mark] as const),
  ["<", kinds.begin],
  [")", kinds.end],
  [">", kinds.end],
  ["]", kinds.both]
])

/** Letters in comparison form without any marks: of a text they are those of its characters, one after the other. */
const baseLetters = (folded: string): string => folded.normalize("NFD").replace(/\p{M}/gu, "")

const isWordLike = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

// Filled on demand: pure functions of the code point
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

/**
 * A character reference that may stand for a letter or for nothing: not one of those for signs that are in every text.
 */
const reference = /&(?!(?:amp|lt|gt|quot|apos|nbsp|#39);)(?:#x?[0-9a-f]{1,7}|[a-z0-9]{2,14});/i
const escapedLetter = /\\u[0-9a-f]{4}/i

/** What is hidden as a whole may divide a reference: "&sh<!-- -->y;". */
const hiddenRegion = /<(?:!--|script|style)/i

/** Whether letters of the text may be written as something else. */
const hasCodedLetters = (raw: string): boolean =>
  (raw.includes("&") && (reference.test(raw) || hiddenRegion.test(raw))) ||
  (raw.includes("\\u") && escapedLetter.test(raw))

/** The letters of a text; `units` is a buffer to be given back. */
interface Letters {
  readonly units: Uint16Array<ArrayBuffer>
  readonly length: number
  /** Where invisible text may begin. */
  readonly begins: ReadonlyArray<number>
  /** Whether a letter follows where invisible text may end: only then a word may go on behind it. */
  readonly joins: boolean
}

const grow = (units: Uint16Array<ArrayBuffer>, capacity: number): Uint16Array<ArrayBuffer> => {
  const grown = new Uint16Array(takeBuffer(2 * capacity), 0, capacity)
  grown.set(units)
  giveBuffer(units.buffer)
  return grown
}

/** Undefined where half of a code point stands alone: what is invisible between two may make them one. */
const readLetters = (raw: string): Letters | undefined => {
  // Room for one letter of each unit that is still to be read; who writes more makes room for it
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
        giveBuffer(units.buffer)
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

/** The words of a name in comparison form, by their base letters. An apostrophe is none: with a mark it is a letter. */
const wordsOf = (form: string): ReadonlyArray<string> =>
  Array.from(form, (char) => apostrophes.has(char.codePointAt(0)!) ? " " : char).join("")
    .match(/[\p{L}\p{N}\p{M}]+/gu)?.map(baseLetters).filter((word) => word !== "") ?? []

/** Longer texts are not looked through: they are measured on another thread, and this one has others to serve. */
const maxLength = 65_536

/**
 * Makes a test of raw texts (answers, prompts) for names in comparison form: false only where none of them occurs in
 * what a reader sees of the text, nor in the label of a link. Its passes over the text are three at most, whatever the
 * number of the names and of the places where invisible text may begin.
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
    giveBuffer(units.buffer)
    return possible
  }
}
