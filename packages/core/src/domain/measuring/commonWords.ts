/** Common words of 16 languages, which distinguish names from ordinary words (M10). */
import { commonWordFilter } from "./commonWordList.ts"
import { isCommonVerb } from "./imperatives.ts"
import { isKnownName, languageOfWord } from "./knownNames.ts"

/** Size in bytes of the Bloom filter that `scripts/buildCommonWords.ts` writes. */
export const filterBytes = 220_000
const hashes = 7

/** Hashes a word (FNV-1a); two different offsets give two independent hashes. */
const hash = (word: string, offset: number): number => {
  let value = offset
  for (let i = 0; i < word.length; i++) value = Math.imul(value ^ word.charCodeAt(i), 0x01000193)
  value ^= value >>> 15
  value = Math.imul(value, 0x2c1b3c6d)
  return (value ^ value >>> 13) >>> 0
}

/** The bits that a word in comparison form sets in the filter, derived from two hashes (Kirsch and Mitzenmacher). */
export const bitsOf = (word: string): ReadonlyArray<number> => {
  const first = hash(word, 0x811c9dc5)
  const second = hash(word, 0x9747b28c) | 1
  return Array.from({ length: hashes }, (_, index) => ((first + index * second) >>> 0) % (filterBytes * 8))
}

// The filter, decoded on first use.
let filter: Uint8Array | undefined
const getFilter = (): Uint8Array =>
  filter ??= Uint8Array.from(atob(commonWordFilter.replace(/\n/g, "")), (char) => char.charCodeAt(0))

/**
 * Whether a word in comparison form is a common word of a supported language: Czech, Danish, Dutch, English, Finnish,
 * French, German, Hungarian, Italian, Norwegian, Polish, Portuguese, Romanian, Spanish, Swedish, Turkish. Words of one
 * or two letters always count as common. Words in other scripts, for which there is no list, count as common unless
 * they are known company names. The Bloom filter wrongly reports about one in a hundred other words as common.
 */
export const isCommonWord = (word: string): boolean => {
  if (word.length <= 2 || isCommonVerb(word) || languageOfWord(word) !== undefined) return true
  if (isKnownName(word)) return false
  return !/^[a-z]+$/.test(word) || bitsOf(word).every((bit) => (getFilter()[bit >> 3]! >> (bit & 7) & 1) === 1)
}
