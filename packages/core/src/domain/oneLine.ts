/**
 * Puts foreign text on one line: line breaks and tabs become a space; other control characters, characters that change
 * the reading direction, and unpaired surrogates are removed.
 */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\u0085]+/g, " ")
    .replaceAll(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "")
    .toWellFormed()
    .replaceAll("\uFFFD", "")
    .trim()
