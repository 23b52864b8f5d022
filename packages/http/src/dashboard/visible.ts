/** Scripts that use U+200C and U+200D to join or separate letters. */
const joining = [
  "Arabic",
  "Syriac",
  "Mongolian",
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
  "Khmer"
].map((script) => `\\p{Script=${script}}`).join("")

/** A joiner with its neighbours where it is needed: between letters of the scripts above, or within one emoji. */
const needed = new RegExp(
  `^[${joining}].[${joining}]|` +
    "^[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]\\u200d\\p{Extended_Pictographic}",
  "u"
)

/** Control characters, direction marks, zero-width characters, tags and supplementary variation selectors. */
const unseen = new RegExp(
  "\\r(?!\\n)|[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f" +
    "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\u{e0000}-\\u{e01ef}]",
  "gu"
)

const isNeeded = (text: string, offset: number): boolean => {
  const low = text.charCodeAt(offset - 1) >> 10 === 0x37
  return needed.test(text.slice(offset - (low ? 2 : 1), offset + 3))
}

/**
 * Makes every character of the text visible: characters that are invisible or change the text's direction are written
 * as `⟨U+202E⟩`.
 */
export const visible = (text: string): string =>
  text.replace(unseen, (sign, offset: number) =>
    (sign === "\u200c" || sign === "\u200d") && isNeeded(text, offset)
      ? sign
      : `\u27e8U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}\u27e9`)
