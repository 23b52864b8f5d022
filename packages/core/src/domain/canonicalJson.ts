/** The values that canonical JSON supports here: no fractions, no exponents. */
export type CanonicalValue = string | number | boolean | null | ReadonlyArray<CanonicalValue> | {
  readonly [key: string]: CanonicalValue
}

const sortMembers = (value: CanonicalValue): CanonicalValue => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(sortMembers)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return Object.fromEntries(members.map(([key, member]) => [key, sortMembers(member)]))
}

/**
 * RFC 8785 for strings, integers, true, false, null, and arrays and objects of them: members sorted by UTF-16 code
 * units, no white space. Member names must not be whole numbers (JavaScript would reorder those).
 */
export const canonicalJson = (value: CanonicalValue): string => JSON.stringify(sortMembers(value))
