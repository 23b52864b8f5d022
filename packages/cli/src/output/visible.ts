/**
 * Matches characters that change what a terminal shows: control characters other than tabs and line breaks, a carriage
 * return that does not end a line, and marks that change the direction of text, so that it reads as something else
 * (CVE-2021-42574).
 */
const acting = String
  .raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)`

/** Matches only the escape sequences that `styleText` writes for the styles of commands. */
const style = String.raw`\u001b\[(?:[0-2]|4|7|2[2-9]|3\d|9\d)m`

const actingPattern = new RegExp(acting, "g")
const styledPattern = new RegExp(`(${style})|${acting}`, "g")

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Escapes every such character as in JSON, so that text is safe for a terminal: `\u202e`. */
export const visible = (text: string): string => text.replace(actingPattern, escape)

/** Like `visible`, for text that already contains styles. */
export const visibleStyled = (text: string): string =>
  text.replace(styledPattern, (found: string, own: string | undefined) => own ?? escape(found))
