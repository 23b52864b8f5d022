/** Character classes for the boundary rule (M8) and the comparison form (M6). */

/** The class of units that are not part of a word. A boundary (M8) is a change to this class or to another script. */
export const CLASS_NONE = 0
export const CLASS_DIGIT = 1
export const CLASS_UNDERSCORE = 2
export const CLASS_LATIN = 3
export const CLASS_CYRILLIC = 4
export const CLASS_HEBREW = 5
export const CLASS_ARABIC = 6
export const CLASS_HAN = 7
export const CLASS_HIRAGANA = 8
export const CLASS_KATAKANA = 9
export const CLASS_HANGUL = 10
/** Thai, Lao, Khmer and Myanmar, which are written without spaces between words. */
export const CLASS_UNSPACED = 11
const CLASS_OTHER_LETTER = 12
export const CLASS_OTHER_MARK = 13

const scripts: ReadonlyArray<readonly [RegExp, number]> = [
  [/^\p{Script=Latin}/u, CLASS_LATIN],
  [/^\p{Script=Cyrillic}/u, CLASS_CYRILLIC],
  [/^\p{Script=Han}/u, CLASS_HAN],
  [/^\p{Script=Hiragana}/u, CLASS_HIRAGANA],
  // Both kana use U+30FC, the long-vowel mark; M8 counts it as katakana.
  [/^[\p{Script=Katakana}\u30fc]/u, CLASS_KATAKANA],
  [/^\p{Script=Hangul}/u, CLASS_HANGUL],
  [/^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u, CLASS_UNSPACED],
  [/^\p{Script=Arabic}/u, CLASS_ARABIC],
  [/^\p{Script=Hebrew}/u, CLASS_HEBREW]
]

const symbolLike = /^[\p{So}\p{No}]/u
const pictographic = /^\p{Extended_Pictographic}/u
const modifierLetter = /^\p{Lm}/u

/**
 * Whether a code point is a separator although NFKC maps it to a letter or digit (M6), such as signs, superscripts,
 * circled digits, fractions and emoji.
 */
export const isSeparatorSymbol = (point: number): boolean => {
  if (point < 0x80) return false
  const char = String.fromCodePoint(point)
  if (symbolLike.test(char) || pictographic.test(char)) return true
  if (point === 0xaa || point === 0xba) return true
  // Some half-width katakana are modifier letters with a compatibility form, but they are ordinary text.
  return modifierLetter.test(char) && (point < 0xff00 || point > 0xffef) && char.normalize("NFKD") !== char
}

const classify = (point: number): number => {
  if (point === 0x5f) return CLASS_UNDERSCORE
  if (point >= 0xd800 && point <= 0xdfff) return CLASS_NONE
  const char = String.fromCodePoint(point)
  if (/^[\p{Nd}]/u.test(char)) return CLASS_DIGIT
  const mark = /^\p{M}/u.test(char)
  if (!mark && (!/^[\p{L}\p{Nl}]/u.test(char) || isSeparatorSymbol(point))) return CLASS_NONE
  for (const [script, found] of scripts) if (script.test(char)) return found
  return mark ? CLASS_OTHER_MARK : CLASS_OTHER_LETTER
}

const UNKNOWN = 255
// The classes found so far, cached because property escapes are slow.
const classes = new Uint8Array(0x10000).fill(UNKNOWN)

/** The `CLASS_*` of a code point. */
export const classOf = (point: number): number => {
  if (point > 0xffff) return classify(point)
  const known = classes[point]!
  if (known !== UNKNOWN) return known
  return classes[point] = classify(point)
}

/** The code point that starts at `index`; a lone surrogate is returned as it is. */
export const readCodePoint = (units: Uint16Array, index: number, end: number): number => {
  const unit = units[index]!
  if (unit >= 0xd800 && unit <= 0xdbff && index + 1 < end) {
    const next = units[index + 1]!
    if (next >= 0xdc00 && next <= 0xdfff) return ((unit - 0xd800) << 10) + (next - 0xdc00) + 0x10000
  }
  return unit
}

/** The code point that ends just before `index`; a lone surrogate is returned as it is. */
export const pointBefore = (units: Uint16Array, index: number): number => {
  const unit = units[index - 1]!
  if (unit >= 0xdc00 && unit <= 0xdfff && index > 1) {
    const lead = units[index - 2]!
    if (lead >= 0xd800 && lead <= 0xdbff) return ((lead - 0xd800) << 10) + (unit - 0xdc00) + 0x10000
  }
  return unit
}

/** Whether the unit is an ASCII letter or digit. */
export const isAsciiAlphanumeric = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39)

/** Whether the unit is an ASCII letter. */
export const isAsciiLetter = (unit: number): boolean => (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a)

/** Whether the unit is ASCII punctuation, which a backslash can escape in markdown. */
export const isAsciiPunctuation = (unit: number): boolean => unit > 0x20 && unit < 0x7f && !isAsciiAlphanumeric(unit)

/** Whether the unit is white space in markdown, or a block break, which counts as the edge of a line. */
export const isSpaceUnit = (unit: number): boolean =>
  unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0x0d || unit === 0 || unit === 0xa0 ||
  unit === 0x3000 || (unit >= 0x2000 && unit <= 0x200a) || unit === 0x2028 || unit === 0x2029 || unit === 0x202f
