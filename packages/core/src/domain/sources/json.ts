/** Lenient readers for JSON from other systems: a value of another type is treated as absent. */

export type JsonObject = Readonly<Record<string, unknown>>

/** The value as an object; undefined for anything else. */
export const asObject = (value: unknown): JsonObject | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value as JsonObject : undefined

/** The entries of an array; an empty list for anything else. */
export const asList = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** The objects among an array's entries. */
export function* asObjects(value: unknown): Generator<JsonObject> {
  for (const entry of asList(value)) {
    const object = asObject(entry)
    if (object !== undefined) yield object
  }
}

/** The value if it is a string, otherwise "". */
export const asText = (value: unknown): string => typeof value === "string" ? value : ""

/** The end of the value at `start`: after its last bracket, or the end of the text. */
const findValueEnd = (text: string, start: number): number => {
  let depth = 0
  const structural = /["{}[\]]/g
  structural.lastIndex = start
  for (let found = structural.exec(text); found !== null; found = structural.exec(text)) {
    if (found[0] === "\"") {
      let quote = found.index
      let escapes: number
      do {
        quote = text.indexOf("\"", quote + 1)
        if (quote === -1) return text.length
        escapes = 0
        while (text[quote - 1 - escapes] === "\\") escapes++
      } while (escapes % 2 === 1)
      structural.lastIndex = quote + 1
    } else if (found[0] === "{" || found[0] === "[") depth++
    else if (--depth <= 0) return found.index + 1
  }
  return text.length
}

const tryParseJson = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

/**
 * Parses consecutive JSON values, which may contain line feeds, as in the bodies of a call that paused. Null for other
 * text.
 */
export const parseJsonValues = (text: string): ReadonlyArray<unknown> | null => {
  const whole = tryParseJson(text)
  if (whole !== null) return [whole.value]
  const values: Array<unknown> = []
  for (let start = 0; start < text.length;) {
    const next = /[^\s\uFEFF]/g
    next.lastIndex = start
    const first = next.exec(text)
    if (first === null) break
    const end = findValueEnd(text, first.index)
    const one = tryParseJson(text.slice(first.index, end))
    if (one === null) return null
    values.push(one.value)
    start = end
  }
  return values.length === 0 ? null : values
}
