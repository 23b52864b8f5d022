/** What canonical JSON is made of here: no fractions, no exponents. */
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
 * RFC 8785 for strings, integers, true, false, null and what is made of them: members sorted by UTF-16 code units, no
 * white space. Member names are never whole numbers (JavaScript would order those by itself).
 */
export const canonicalJson = (value: CanonicalValue): string => JSON.stringify(sortMembers(value))
