/** Maximum nesting of arrays and objects in a file that sov writes and reads. */
const maxDepth = 32

/** Whether the value is nested at most `maxDepth` deep. Avoids recursion, because the value may be hostile. */
const isShallow = (value: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [value]
  for (let depth = 0; depth <= maxDepth; depth++) {
    level = level.flatMap((one) => typeof one === "object" && one !== null ? Object.values(one) : [])
    if (level.length === 0) return true
  }
  return false
}

/** Parses JSON. Undefined for invalid JSON, and for values that are nested deeper than any value that sov writes. */
export const parseShallow = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value) ? value : undefined
  } catch {
    return undefined
  }
}
