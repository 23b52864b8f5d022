/** Headers that a request may send only once. Node would silently take the first value or join the values. */
const singleHeaderNames = new Set([
  "authorization",
  "content-encoding",
  "content-type",
  "idempotency-key",
  "x-request-id"
])

/** The first of `names` that occurs more than once; undefined if none does. */
export const findRepeatedHeader = (
  rawHeaders: ReadonlyArray<string>,
  names: ReadonlySet<string> = singleHeaderNames
): string | undefined => {
  let seen: Set<string> | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    if (!names.has(name)) continue
    seen ??= new Set()
    if (seen.has(name)) return name
    seen.add(name)
  }
  return undefined
}
