/** Redaction of credentials in messages, excerpts and logs: a provider or a library may quote one. */

/** Not inside a word; an escape of the JSON around it (`\n`, `\u0000`) is no part of the word. */
const start = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt])|(?<=\\u[\dA-Fa-f]{4}))`

/**
 * Authorization schemes, the usual prefixes of keys, those of sov itself, and passwords in addresses. None goes across
 * a quote of the JSON around it.
 */
const credentials = [
  new RegExp(start + String.raw`(?:Bearer|Basic)\s+[^\s"'\\,;<>]+`, "gi"),
  new RegExp(start + String.raw`(?:sk|rk|pk|gsk|csk|xai|pplx|hf|nvapi)[-_][\w*.-]{6,}`, "g"),
  new RegExp(start + String.raw`AIza[\w-]{20,}`, "g"),
  new RegExp(start + String.raw`whsec_[A-Za-z0-9+/_-]{6,}=*`, "g"),
  /sov_(?:live|test)_\w+/g,
  /(?<=:\/\/[^\s:/@"\\]*:)(?:[^\s/@"\\]|\\.)+(?=@)/g
]

/** Whether the text contains what looks like a credential. */
export const holdsCredential = (text: string): boolean => credentials.some((pattern) => text.search(pattern) >= 0)

/** The text with `[redacted]` in place of what looks like a credential; JSON stays valid. */
export const withoutCredentials = (text: string): string =>
  credentials.reduce((safe, pattern) => safe.replaceAll(pattern, "[redacted]"), text)
