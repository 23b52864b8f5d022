/**
 * Other spellings of a registered name (M7): without its legal form, joined, split, without its apostrophe, with "and",
 * in Latin letters. An unambiguous spelling always counts. An ambiguous spelling counts only where its capitals show
 * that it is the name, and is offered as an alias.
 */
import { isCommonWord } from "./commonWords.ts"
import { toComparisonForm } from "./comparisonForm.ts"
import { isKnownCompany } from "./knownNames.ts"
import { withoutLegalForm } from "./legalForms.ts"
import type { EntityTerms } from "./Measurement.ts"
import { transliterate } from "./transliterate.ts"

/** How a spelling differs from the name. */
export type SpellingKind = "legalForm" | "joined" | "split" | "apostrophe" | "ampersand" | "mark" | "transliteration"

/** One spelling of a name or alias. */
export interface Spelling {
  readonly text: string
  readonly kind: SpellingKind
  /**
   * Whether the spelling can only be the name, so that it counts everywhere. Otherwise it counts only where a capital
   * shows the name, or if it is registered as an alias.
   */
  readonly safe: boolean
}

const isAcronym = (word: string): boolean => /^\p{Lu}{2,}$/u.test(word)

/** The words of a name. A hyphen separates words, like a space (M7). */
const wordsOf = (name: string): ReadonlyArray<string> =>
  name.split(/[\s\u002d\u2010-\u2013]+/u).filter((word) => word !== "")

/** Whether all words are common, so that a text may use them without naming a company. */
export const isAllCommon = (words: ReadonlyArray<string>): boolean =>
  words.every((word) => isCommonWord(toComparisonForm(word)))

/**
 * Whether the words together can only be a name, because one of them is not common or is an acronym ("AZ Coatings").
 */
const isDistinctive = (words: ReadonlyArray<string>): boolean =>
  !isAllCommon(words) || (words.some(isAcronym) && !words.every(isAcronym))

/**
 * Whether a domain of the entity consists of the words of `name`: `target.com` shows that "Target Corporation" is
 * called Target.
 */
const hasDomainOf = (domains: ReadonlyArray<string>, name: string): boolean => {
  const joined = toComparisonForm(name).replace(/[^\p{L}\p{N}]/gu, "")
  return domains.some((domain) => domain.toLowerCase().split(".").some((label) => label.replaceAll("-", "") === joined))
}

const shortest = 4

/** Matches a number before at least four letters, which is not a word in any language. */
const numbered = /^\p{N}+[\p{L}]{4,}$/u

const joinedOf = (name: string): ReadonlyArray<Spelling> => {
  const words = wordsOf(name)
  const text = words.join("")
  if (words.length < 2 || words.length > 4 || text.length < shortest || !/^[\p{L}\p{N}]+$/u.test(text)) return []
  // Common words can form a compound ("Haus Bau" and "Hausbau"), but "7eleven" is not a compound
  const safe = numbered.test(text) || (isDistinctive(words) && !isCommonWord(toComparisonForm(text)))
  return [{ text, kind: "joined", safe }]
}

/** Matches the parts of a name written with inner capitals: "DemandIQ" is "Demand" and "IQ". */
const humps = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu

const splitOf = (name: string): ReadonlyArray<Spelling> => {
  if (!/^[\p{L}\p{N}]{5,}$/u.test(name)) return []
  const words = name.match(humps) ?? []
  const split = words.length >= 2 && words.length <= 4 && words.join("") === name &&
    words.every((word) => word.length >= 2 && /^[\p{Lu}\p{N}]/u.test(word))
  if (!split) return []
  const letters = words.filter((word) => !/^\p{N}/u.test(word))
  const distinctive = !isAllCommon(letters) || letters.length === words.length && letters.slice(1).some(isAcronym)
  return [{ text: words.join(" "), kind: "split", safe: distinctive }]
}

const apostrophes = /(?<=\p{L})['’‘ʼ`´](?=\p{L})/gu

const apostropheOf = (name: string): ReadonlyArray<Spelling> => {
  const text = name.replace(apostrophes, "")
  if (text === name || text.length < shortest) return []
  return [{ text, kind: "apostrophe", safe: false }]
}

const ampersandOf = (name: string): ReadonlyArray<Spelling> => {
  const parts = name.split(/ ?& ?| (?:and|und|et|y|e|i|en|och|og|ja) /u)
  if (parts.length !== 2 || parts.some((part) => !/^[\p{L}\p{N}]/u.test(part))) return []
  // "H&M" is also written "H & M", but never "H and M"
  if (parts.some((part) => part.length < 3)) {
    const text = parts.join(name.includes(" & ") ? "&" : " & ")
    return name.includes("&") ? [{ text, kind: "ampersand", safe: true }] : []
  }
  const text = name.includes("&") ? parts.join(" and ") : / and /u.test(name) ? parts.join(" & ") : null
  return text === null ? [] : [{ text, kind: "ampersand", safe: false }]
}

/** The name without its exclamation mark, as for "Yahoo!". */
const markOf = (name: string): ReadonlyArray<Spelling> => {
  const text = name.replace(/[!?]+$/u, "")
  if (text === name || text.length < shortest) return []
  return [{ text, kind: "mark", safe: !isAllCommon(wordsOf(text)) || isKnownCompany(toComparisonForm(text)) }]
}

/** Transliterations of the name. They are only offered as aliases, because other names may have the same spelling. */
const transliterationsOf = (name: string): ReadonlyArray<Spelling> =>
  transliterate(name).map((text) => ({ text, kind: "transliteration", safe: false }))

const variantsOf = (name: string): ReadonlyArray<Spelling> => [
  ...apostropheOf(name),
  ...ampersandOf(name),
  ...markOf(name),
  ...joinedOf(name),
  ...splitOf(name)
]

const shortened = (entity: EntityTerms, name: string): ReadonlyArray<Spelling> => {
  const text = withoutLegalForm(name)
  if (text === null || !/[\p{L}\p{N}]/u.test(text)) return []
  const words = wordsOf(text)
  // Three words with the capitals of the name are no coincidence
  const safe = hasDomainOf(entity.domains, text) || isDistinctive(words) || words.length >= 3 ||
    isKnownCompany(toComparisonForm(text))
  return [{ text, kind: "legalForm", safe }]
}

/** All other spellings of an entity's name and aliases, without duplicates, unambiguous ones first. */
export const spellingsOf = (entity: EntityTerms): ReadonlyArray<Spelling> => {
  const registered = [entity.name, ...entity.aliases]
  const found = new Map<string, Spelling>()
  const seen = new Set(registered.map(toComparisonForm))
  const note = (spelling: Spelling): void => {
    const form = toComparisonForm(spelling.text)
    if (seen.has(form) || found.get(form)?.safe === true) return
    found.set(form, spelling)
  }
  const inLatin = registered.some((name) => /\p{Script=Latin}/u.test(name))
  for (const name of registered) {
    const short = shortened(entity, name)
    const names = [name, ...short.filter((one) => one.safe).map((one) => one.text)]
    const written = inLatin ? [] : [name, ...short.map((one) => one.text)]
    for (const spelling of [...short, ...names.flatMap(variantsOf), ...written.flatMap(transliterationsOf)]) {
      note(spelling)
    }
  }
  return [...found.values()].toSorted((a, b) => Number(b.safe) - Number(a.safe))
}

/** Ambiguous spellings, which count everywhere once they are registered as aliases. */
export const offeredSpellings = (entity: EntityTerms): ReadonlyArray<Spelling> =>
  spellingsOf(entity).filter((spelling) => !spelling.safe)
