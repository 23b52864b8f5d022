/** Shapes of credentials that a provider may quote: authorization schemes and the usual key prefixes. */
const credentials = [
  /\b(?:Bearer|Basic)\s+[^\s"'\\,;<>]+/gi,
  /\b(?:sk|rk|pk|gsk|csk|xai|pplx|hf|nvapi)[-_][\w*.-]{6,}/g,
  /\bAIza[\w-]{20,}/g
]

/** A secret as it is, and as JSON or a URL would write it. */
const spellings = (secret: string): ReadonlyArray<string> => {
  const inJson = JSON.stringify(secret).slice(1, -1)
  return [...new Set([secret, inJson, inJson.replaceAll("/", "\\/"), encodeURIComponent(secret)])]
    .sort((a, b) => b.length - a.length)
}

/** Replaces the secret and everything that looks like a credential. Linear in the length of the text. */
export const redact = (text: string, secret: string | null): string => {
  let safe = text
  if (secret !== null) { for (const spelling of spellings(secret)) safe = safe.replaceAll(spelling, "[redacted]") }
  for (const pattern of credentials) safe = safe.replaceAll(pattern, "[redacted]")
  return safe
}

/** Control characters (line breaks and tabs aside) could drive a terminal and U+0000 fits no text column. */
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g

/** Bytes that are looked at for an excerpt; enough for 500 characters after redaction. */
const window = 8192

/** The beginning of a body for an error: at most 500 characters, redacted, null when nothing came. */
export const excerptOf = (body: Uint8Array, secret: string | null): string | null => {
  if (body.length === 0) return null
  let text = new TextDecoder().decode(body.subarray(0, window))
  // A key cut by the window would no longer be found by its full spelling.
  if (body.length > window && secret !== null) text = text.slice(0, -3 * secret.length)
  return redact(text, secret).replaceAll(controls, "\uFFFD").toWellFormed().slice(0, 500).toWellFormed()
}

/** A foreign text as part of a one-line message: redacted, without line breaks, at most 200 characters. */
export const oneLine = (text: string, secret: string | null): string =>
  redact(text.slice(0, window), secret).replaceAll(/[\s\u0000-\u001F\u007F-\u009F]+/g, " ").trim().slice(0, 200)
    .toWellFormed()
