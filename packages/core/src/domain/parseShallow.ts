/** Maximum nesting of arrays and objects in a file that sov writes and reads again. */
const maxDepth = 32

/** Whether the value is nested no deeper than `maxDepth`. Avoids recursion, because the value may be hostile. */
const isShallow = (value: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [value]
  for (let depth = 0; depth <= maxDepth; depth++) {
    level = level.flatMap((one) => typeof one === "object" && one !== null ? Object.values(one) : [])
    if (level.length === 0) return true
  }
  return false
}

/** Parses JSON; undefined for invalid JSON, and for values nested deeper than anything that sov writes. */
export const parseShallow = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value) ? value : undefined
  } catch {
    return undefined
  }
}
