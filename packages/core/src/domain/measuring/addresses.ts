/** Finds addresses in text (M3): URLs, hosts with a path, e-mail addresses. An address is a citation, not a mention. */
import { isAsciiAlphanumeric, isAsciiLetter, isSpaceUnit } from "./characters.ts"

const DOT = 0x2e
const HYPHEN = 0x2d
const SLASH = 0x2f
const maxHostLength = 253
const maxLocalPartLength = 64
const maxSchemeLength = 20

/** Endings of file and product names (`Node.js/React`), which are not top-level domains. */
const notTopLevel = new Set(
  "js jsx ts tsx cs go php html htm css json yml yaml xml csv txt pdf doc docx xls xlsx ppt png jpg jpeg gif svg zip"
    .split(" ")
)
/** Top-level domains that are recognized in any case; all others are recognized only if the host is in lower case. */
const commonTopLevel = new Set(
  "com org net edu gov mil int info biz io ai co app dev shop store online site tech cloud xyz blog news example test"
    .split(" ")
)

/**
 * Whether `host` looks like a host name: labels separated by dots, with a plausible top-level domain. In prose, a
 * country's domain counts only in lower case ("It was fast.It is cheap."); if it is the entire label of a link, it
 * counts in any case.
 */
const isHost = (host: string, wholeLabel = false): boolean => {
  if (host.length > maxHostLength) return false
  const labels = host.split(".")
  if (labels.length < 2) return false
  for (const label of labels) {
    if (label === "" || label.length > 63 || label.startsWith("-") || label.endsWith("-")) return false
  }
  const last = labels[labels.length - 1]!
  const top = last.toLowerCase()
  if (top.length < 2 || !/^[a-z]+$/.test(top) || notTopLevel.has(top)) return false
  return commonTopLevel.has(top) || (wholeLabel && top.length === 2) || host === host.toLowerCase()
}

const isHostUnit = (unit: number): boolean => isAsciiAlphanumeric(unit) || unit === DOT || unit === HYPHEN

const text = (units: Uint16Array, start: number, end: number): string =>
  String.fromCharCode(...units.subarray(start, end))

/** The start of the host that ends at `end`, or -1. Reads backwards, at most the length of one host name. */
export const hostBefore = (units: Uint16Array, floor: number, end: number): number => {
  let start = end
  while (start > floor && end - start <= maxHostLength && isHostUnit(units[start - 1]!)) start--
  while (start < end && !isAsciiAlphanumeric(units[start]!)) start++
  return end - start >= 4 && isHost(text(units, start, end)) ? start : -1
}

/** The start of the scheme (`https`) that ends at `end`, or -1. */
export const schemeBefore = (units: Uint16Array, floor: number, end: number): number => {
  let start = end
  while (start > floor && end - start < maxSchemeLength && isAsciiAlphanumeric(units[start - 1]!)) start--
  while (start < end && !isAsciiLetter(units[start]!)) start++
  return end - start >= 2 ? start : -1
}

const isLocalUnit = (unit: number): boolean =>
  isAsciiAlphanumeric(unit) || unit === DOT || unit === HYPHEN || unit === 0x5f || unit === 0x2b || unit === 0x25

/** The start of the local part (`help` of `help@acme.com`) that ends at `end`, or -1. */
export const localPartBefore = (units: Uint16Array, floor: number, end: number): number => {
  let start = end
  while (start > floor && end - start < maxLocalPartLength && isLocalUnit(units[start - 1]!)) start--
  return start < end ? start : -1
}

/** The end of the host that starts at `start`, or -1. */
export const hostAfter = (units: Uint16Array, start: number, ceiling: number): number => {
  let end = start
  while (end < ceiling && end - start <= maxHostLength && isHostUnit(units[end]!)) end++
  while (end > start && !isAsciiAlphanumeric(units[end - 1]!)) end--
  return end > start && isHost(text(units, start, end)) ? end : -1
}

/**
 * Whether the unit is an ideograph, kana, Hangul, Thai or their punctuation. After an ASCII host, such units belong to
 * the sentence and not to the host.
 */
const endsHost = (unit: number): boolean => unit >= 0x0e00
/** Whether the unit is a quotation mark, or CJK or full-width punctuation, which no address contains unescaped. */
const endsAddress = (unit: number): boolean =>
  (unit >= 0x2000 && unit <= 0x206f) || (unit >= 0x3000 && unit <= 0x303f) || (unit >= 0xff00 && unit <= 0xff0f) ||
  (unit >= 0xff1a && unit <= 0xff20) || unit === 0xab || unit === 0xbb

/**
 * The end of the URL whose host starts at `start`: the first white space, quote, or closing bracket without an opening
 * one.
 */
export const urlEnd = (units: Uint16Array, start: number, ceiling: number): number => {
  let open = 0
  let inHost = true
  let end = start
  for (; end < ceiling; end++) {
    const unit = units[end]!
    if (unit <= SPACE_END || isSpaceUnit(unit)) break
    if (unit === 0x22 || unit === 0x3c || unit === 0x3e || unit === 0x60 || unit === 0x2a || unit === 0x5d) break
    if (unit === 0x7c || endsAddress(unit) || (inHost && endsHost(unit))) break
    if (unit === SLASH || unit === 0x3f || unit === 0x23) inHost = false
    if (unit === 0x28) open++
    if (unit === 0x29 && open-- === 0) break
  }
  return end
}
const SPACE_END = 0x20

/**
 * Removes closing punctuation. This is a loop because a regular expression anchored at the end would restart at each
 * mark of a run.
 */
const trimAddressEnd = (label: string): string => {
  let end = label.length
  while (end > 0 && "/.…".includes(label[end - 1]!)) end--
  return label.slice(0, end)
}

/** Whether a link's label is itself an address (M3), possibly followed by "+2". */
export const isAddressLabel = (label: string): boolean => {
  const bare = trimAddressEnd(label.trim().replace(/ ?\+ ?\d{1,3}$/, ""))
  if (bare === "" || /\s/.test(bare)) return false
  if (/^(?:[a-z][a-z0-9+]{1,19}:\/\/|mailto:|www\.)/i.test(bare)) return true
  const host = bare.replace(/^[^@\s]{1,64}@/, "").replace(/[/?#:].*$/s, "")
  return isHost(host, true)
}
