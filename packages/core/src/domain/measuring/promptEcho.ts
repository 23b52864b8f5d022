/**
 * Finds echoes of the prompt (M12): where the answer repeats the prompt, quoted or alone on a line, names do not count.
 */
import { CLASS_NONE, classOf, pointBefore, readCodePoint } from "./characters.ts"
import { type FoldedText, toComparableUnit } from "./comparisonForm.ts"
import { BLOCK_BREAK, NEWLINE, sliceUnits, SPACE } from "./offsetText.ts"

/** A range of folded units in which no mention counts. */
export interface Echo {
  readonly start: number
  readonly end: number
}

const COLON = 0x3a
const quotes = new Set(
  Array.from(
    "\"'\u201a\u201c\u201d\u201e\u201f\u2039\u203a\u00ab\u00bb\u300a\u300b\u300c\u300d\u300e\u300f",
    (char) => char.charCodeAt(0)
  )
)

const isLineEdge = (unit: number): boolean => unit === NEWLINE || unit === BLOCK_BREAK

/** Returns the prompt as comparable units, without surrounding punctuation and quotation marks. */
const promptCore = (prompt: FoldedText): Uint16Array => {
  let start = 0
  let end = prompt.length
  while (start < end && classOf(readCodePoint(prompt.units, start, end)) === CLASS_NONE) start++
  while (end > start && classOf(pointBefore(prompt.units, end)) === CLASS_NONE) end--
  return prompt.units.slice(start, end).map(toComparableUnit)
}

/** The border lengths of all prefixes of `core` (Knuth, Morris and Pratt). */
const findBorders = (core: Uint16Array): Int32Array => {
  const borders = new Int32Array(core.length)
  for (let i = 1, border = 0; i < core.length; i++) {
    while (border > 0 && core[i] !== core[border]) border = borders[border - 1]!
    if (core[i] === core[border]) border++
    borders[i] = border
  }
  return borders
}

/** Whether `start` is preceded on its line only by punctuation, or by a lead-in that ends in a colon. */
const opensLine = ({ units }: FoldedText, start: number): boolean => {
  for (let i = start; i > 0; i--) {
    const unit = units[i - 1]!
    if (isLineEdge(unit) || unit === COLON) return true
    if (classOf(pointBefore(units, i)) !== CLASS_NONE) return false
  }
  return true
}

const closesLine = ({ length, units }: FoldedText, end: number): boolean => {
  for (let i = end; i < length; i++) {
    if (isLineEdge(units[i]!)) return true
    if (classOf(readCodePoint(units, i, length)) !== CLASS_NONE) return false
  }
  return true
}

/** Maximum length of the punctuation between the prompt and the closing quotation mark, in units. */
const maxTailLength = 4

const isQuoted = ({ length, units }: FoldedText, start: number, end: number): boolean => {
  let before = start - 1
  while (before >= 0 && units[before] === SPACE) before--
  if (before < 0 || !quotes.has(units[before]!)) return false
  for (let i = end; i < length && i - end < maxTailLength; i++) {
    if (quotes.has(units[i]!)) return true
    if (isLineEdge(units[i]!) || classOf(readCodePoint(units, i, length)) !== CLASS_NONE) return false
  }
  return false
}

/** Finds the echoes of `prompt` in `text`. A prompt that is just one of `names` has no echoes. */
export const findEchoes = (
  text: FoldedText,
  prompt: FoldedText,
  names: ReadonlySet<string>
): ReadonlyArray<Echo> => {
  const core = promptCore(prompt)
  if (core.length === 0 || names.has(sliceUnits({ units: core }, 0, core.length))) return []
  const borders = findBorders(core)
  const { length, units } = text
  const echoes: Array<Echo> = []
  for (let i = 0, matched = 0; i < length; i++) {
    const unit = toComparableUnit(units[i]!)
    while (matched > 0 && unit !== core[matched]) matched = borders[matched - 1]!
    if (unit === core[matched]) matched++
    if (matched < core.length) continue
    const end = i + 1
    const start = end - core.length
    const echo = (opensLine(text, start) && closesLine(text, end)) || isQuoted(text, start, end)
    if (echo) echoes.push({ start, end })
    matched = echo ? 0 : borders[matched - 1]!
  }
  return echoes
}
