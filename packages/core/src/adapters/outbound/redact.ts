import { withoutCredentials } from "../../domain/credentials.ts"

/** The secret in plain form and as it would appear in JSON or a URL. */
const listSpellings = (secret: string): ReadonlyArray<string> => {
  const inJson = JSON.stringify(secret).slice(1, -1)
  return [...new Set([secret, inJson, inJson.replaceAll("/", "\\/"), encodeURIComponent(secret)])]
    .sort((a, b) => b.length - a.length)
}

/**
 * A shorter secret is a placeholder (`ollama`, `none`) rather than a key: an answer that contains the word leaks
 * nothing.
 */
const minSecretChars = 16

/** The JSON with its strings roughly unescaped, which is enough to search it for a secret. */
const unescapeJson = (json: string): string =>
  json.replaceAll(
    /\\(?:u([\dA-Fa-f]{4})|(.))/g,
    (_, code: string | undefined, char: string) =>
      code === undefined ? char : String.fromCharCode(Number.parseInt(code, 16))
  )

/**
 * Removes the secret from the strings of a JSON body. Text that does not contain the secret is returned unchanged;
 * other text is serialized again. Fails as `JSON.parse` does.
 */
export const removeSecret = (json: string, secret: string | null): string => {
  if (secret === null || secret.length < minSecretChars) return json
  const known = listSpellings(secret)
  if (!known.some((spelling) => json.includes(spelling)) && !unescapeJson(json).includes(secret)) return json
  let found = false
  const clean = (text: string): string => {
    const safe = known.reduce((left, one) => left.replaceAll(one, "[redacted]"), text)
    found ||= safe !== text
    return safe
  }
  const value: unknown = JSON.parse(json, (_, value: unknown) => {
    if (typeof value === "string") return clean(value)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [clean(name), member]))
      : value
  })
  return found || known.some((spelling) => json.includes(spelling)) ? JSON.stringify(value) : json
}

/** Redacts the beginning of the secret (4 or more characters) at the end of a text that was cut there. */
const redactCutSecret = (text: string, secret: string): string => {
  for (let length = Math.min(secret.length - 1, text.length); length >= 4; length--) {
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}[redacted]`
  }
  return text
}

/** Redacts the secret, even if it is cut at the text's end, and everything that looks like a credential. */
const redact = (text: string, secret: string | null): string => {
  let safe = text
  const known = secret === null ? [] : listSpellings(secret)
  for (const spelling of known) safe = safe.replaceAll(spelling, "[redacted]")
  for (const spelling of known) safe = redactCutSecret(safe, spelling)
  return withoutCredentials(safe)
}

/** Control characters (except line breaks and tabs) could drive a terminal, and no text column accepts U+0000. */
const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g

/** Bytes read for an excerpt; enough for 500 characters after redaction. */
const excerptInputBytes = 8192

/** The beginning of a body: at most `length` characters, redacted; null if the body is empty. */
export const redactBodyExcerpt = (body: Uint8Array, secret: string | null, length = 500): string | null => {
  if (body.length === 0) return null
  const text = new TextDecoder().decode(body.subarray(0, excerptInputBytes))
  return redact(text, secret).replaceAll(controlCharacters, "\uFFFD").toWellFormed().slice(0, length).toWellFormed()
}

/** Text from another system for a one-line message: redacted, without line breaks, at most 200 characters. */
export const formatOneLine = (text: string, secret: string | null): string =>
  redact(text.slice(0, excerptInputBytes), secret).replaceAll(/[\s\u0000-\u001F\u007F-\u009F]+/g, " ").trim().slice(
    0,
    200
  )
    .toWellFormed()
