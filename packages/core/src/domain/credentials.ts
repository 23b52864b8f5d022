/** Redacts credentials in messages, excerpts and logs, because a provider or a library may quote one. */

/** The start of a word; a JSON escape before it (`\n`, `\u0000`) is not part of the word. */
const start = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt])|(?<=\\u[\dA-Fa-f]{4}))`

/**
 * Matches authorization schemes, the usual prefixes of keys, sov's own prefixes, and passwords in addresses. No match
 * crosses a quote of the surrounding JSON.
 */
const credentials = [
  new RegExp(start + String.raw`(?:Bearer|Basic)\s+[^\s"'\\,;<>]+`, "gi"),
  new RegExp(start + String.raw`(?:sk|rk|pk|gsk|csk|xai|pplx|hf|nvapi)[-_][\w*.-]{6,}`, "g"),
  new RegExp(start + String.raw`AIza[\w-]{20,}`, "g"),
  new RegExp(start + String.raw`whsec_[A-Za-z0-9+/_-]{6,}=*`, "g"),
  /sov_(?:live|test)_\w+/g,
  /(?<=:\/\/[^\s:/@"\\]*:)(?:[^\s/@"\\]|\\.)+(?=@)/g
]

/** Whether the text contains something that looks like a credential. */
export const holdsCredential = (text: string): boolean => credentials.some((pattern) => text.search(pattern) >= 0)

/** The text with everything that looks like a credential replaced by `[redacted]`; JSON stays valid. */
export const withoutCredentials = (text: string): string =>
  credentials.reduce((safe, pattern) => safe.replaceAll(pattern, "[redacted]"), text)
