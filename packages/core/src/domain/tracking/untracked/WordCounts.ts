/**
 * How often words are written in lower case and with a capital, over all answers: what a language writes small is no
 * name.
 */
import { CLASS_NONE, classOf } from "../../measuring/characters.ts"

const slots = 1 << 20
const seed = 0x811c9dc5
const prime = 0x01000193
const maxCount = 0xffff

const isWordUnit = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) ||
  (unit > 0x7f ? classOf(unit) !== CLASS_NONE : unit >= 0x30 && unit <= 0x39)

/** The unit in lower case, for Latin and the scripts beside it that have case. */
const lowerUnits = Uint16Array.from({ length: 0x600 }, (_, unit) => {
  const lower = String.fromCharCode(unit).toLowerCase()
  return lower.length === 1 ? lower.charCodeAt(0) : unit
})
const toLower = (unit: number): number => unit < 0x600 ? lowerUnits[unit]! : unit

const isUpper = (unit: number): boolean => toLower(unit) !== unit
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39

/** Characters of a run: longer ones are titles. */
const maxRunLength = 60

const hashOf = (word: string): number => {
  let hash = seed
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ toLower(word.charCodeAt(i)), prime)
  return (hash >>> 0) % slots
}

/** Where the address ends whose `//` is at `at`. */
const addressEnd = (text: string, at: number): number => {
  let end = at + 2
  while (end < text.length) {
    const unit = text.charCodeAt(end)
    if (unit <= 0x20 || unit === 0x29 || unit === 0x3e || unit === 0x22) break
    end++
  }
  return end
}

/**
 * Counts of words by whether they have a capital. Memory is 4 MB whatever is read: words share counters by a hash, so a
 * count is at least the true one.
 */
export class WordCounts {
  private readonly lower = new Uint16Array(slots)
  private readonly upper = new Uint16Array(slots)

  /**
   * Counts the words of one text. `onRun` receives the words with a capital that follow one in lower case: in the
   * middle of a sentence a capital is a name's in most languages.
   */
  add(text: string, onRun: (run: string, behind: number) => void): void {
    const { lower, upper } = this
    const length = text.length
    let i = 0
    /** Where a run of capitalised words has begun, and ended so far; -1 = there is none. */
    let start = -1
    let end = -1
    let afterLower = false
    /** The hash of the word in lower case before the run. */
    let previous = 0
    let behind = 0
    while (i < length) {
      const first = text.charCodeAt(i)
      if (!isWordUnit(first)) {
        i = first === 0x2f && text.charCodeAt(i + 1) === 0x2f ? addressEnd(text, i) : i + 1
        continue
      }
      const from = i
      let hash = seed
      let unit = first
      let isLower = true
      while (isWordUnit(unit)) {
        if (isUpper(unit)) isLower = false
        hash = Math.imul(hash ^ toLower(unit), prime)
        unit = ++i < length ? text.charCodeAt(i) : 0
      }
      const slot = (hash >>> 0) % slots
      if (isLower) {
        // A host is written in lower case, whoever has it; and a brand may be, as in "adidas Adizero"
        const isHost = unit === 0x2e && isWordUnit(text.charCodeAt(i + 1))
        const leads = unit === 0x20 && isUpper(text.charCodeAt(i + 1))
        if (!isHost && !leads && lower[slot]! < maxCount) lower[slot]!++
      } else if (upper[slot]! < maxCount) upper[slot]!++
      if (start >= 0 && (from - end > 1 || (isLower && !isDigit(first)))) {
        onRun(text.slice(start, end), behind)
        start = -1
      }
      if (start >= 0 && i - start <= maxRunLength) end = i
      else if (!isLower && afterLower && text.charCodeAt(from - 1) === 0x20) {
        start = from
        end = i
        behind = previous
      }
      previous = hash
      // "…, Name" and "… by Name", but not "… it. Name"
      afterLower = isLower && (unit === 0x20 || (unit === 0x2c && text.charCodeAt(i + 1) === 0x20))
    }
    if (start >= 0) onRun(text.slice(start, end), behind)
  }

  /**
   * The part of the occurrences of a word that is written in lower case, 0–1; of a word with hyphens, of its smallest
   * part.
   */
  lowerShare(word: string): number {
    const parts = word.split(/[^\p{L}\p{N}\p{M}]+/u).filter((part) => part !== "")
    return parts.length === 0 ? 0 : Math.min(...parts.map((part) => {
      const slot = hashOf(part)
      const [lower, upper] = [this.lower[slot]!, this.upper[slot]!]
      return lower + upper === 0 ? 0 : lower / (lower + upper)
    }))
  }
}
