/**
 * Compiles the terms to search for, once for many answers: the accepted spellings of each term, and one automaton for
 * all of them.
 */
import type { NameEdges } from "./boundaries.ts"
import {
  CLASS_ARABIC,
  CLASS_CYRILLIC,
  CLASS_HEBREW,
  CLASS_LATIN,
  classOf,
  pointBefore,
  readCodePoint
} from "./characters.ts"
import { foldText, makeLiteralText, toComparisonForm, WRITTEN_UPPER } from "./comparisonForm.ts"
import { findHomonym, type Homonym } from "./homonyms.ts"
import { isCommonVerb } from "./imperatives.ts"
import { cyrillicReplacements, greekReplacements, replacedEndings } from "./inflections.ts"
import { languageOfWord } from "./knownNames.ts"
import type { EntityTerms } from "./Measurement.ts"
import { isAllCommon, type Spelling, spellingsOf } from "./spellings.ts"
import { buildAutomaton, type TermAutomaton } from "./termAutomaton.ts"
import { replacedOfWords } from "./wordEndings.ts"

/** The owner of a term. An excluded term blocks the text that it matches but counts for no entity (M11). */
export type TermOwner = "brand" | number | "exclude"

/**
 * The capitals that a name must have to count (M10). `prose`: any capitals, but if all letters are lower case, only
 * outside addresses, paths and identifiers. `asWritten`: every capital of the name. `humped`: like `asWritten`, but not
 * all in capitals.
 */
export type CaseRule = "any" | "prose" | "notLower" | "capitals" | "asWritten" | "humped"

/** One name, alias or domain in comparison form. */
export interface CompiledTerm extends NameEdges {
  readonly owner: TermOwner
  /** The term as it was registered. */
  readonly name: string
  readonly form: string
  readonly domain: boolean
  readonly caseRule: CaseRule
  /**
   * The language in which the name is a word, if there is exactly one. In texts of all other languages the name also
   * counts in lower case.
   */
  readonly wordIn: string | undefined
  /** Indexes of the capitals in `form`, for the rules `asWritten` and `humped`. */
  readonly capitals: ReadonlyArray<number>
  /** Whether this is another spelling of the registered name (M7). */
  readonly derived: boolean
  /**
   * Whether the term counts only if the position of this or another occurrence in the text shows that it is a name
   * (M7).
   */
  readonly placed: boolean
  /** Whether the name is a common verb, which can open a command (M17). */
  readonly verb: boolean
  /**
   * Whether all words of the name are common, so that it does not count where its position shows the ordinary word
   * (M17).
   */
  readonly doubtful: boolean
  /** Neighbouring words that show that the ordinary word is meant (M17). */
  readonly homonym: Homonym | undefined
  /**
   * The role of context words (M18). `shows`: the term is a context word of its owner, not a name. `needs`: the term
   * counts only in an answer with a context word. `none`: the term counts without one.
   */
  readonly context: "shows" | "needs" | "none"
}

/** The tracked entities, ready to be matched against any number of answers. Immutable. */
export interface CompiledTerms {
  readonly terms: ReadonlyArray<CompiledTerm>
  readonly automaton: TermAutomaton
  /** Whether some entity has context words. */
  readonly hasContext: boolean
  /** Comparison forms of all names and aliases, for link labels and prompts. */
  readonly names: ReadonlySet<string>
}

const capitalised = /^\p{Lu}(?:\p{Ll}+|\p{Lu}+)?$/u
const letterPattern = /\p{L}/gu

/** The case rule for a name, derived from the capitals with which it was registered (M10). */
const caseRuleOf = (name: string): CaseRule => {
  const plain = name.normalize("NFKD").replace(/[\p{M}\p{Cf}]/gu, "").trim()
  const letters = plain.match(letterPattern) ?? []
  const capitals = letters.length > 0 && letters.every((letter) => /\p{Lu}/u.test(letter))
  if (capitals && letters.length <= 3) return "capitals"
  const words = plain.split(/\s+/)
  if (!words.every((word) => capitalised.test(word))) return "any"
  return isAllCommon(words) ? "notLower" : "prose"
}

/** The indexes of the capital letters in a name's comparison form. */
const findCapitals = (name: string): ReadonlyArray<number> => {
  const literal = makeLiteralText(name.trim())
  const folded = foldText(literal)
  literal.release()
  const capitals: Array<number> = []
  for (let i = 0; i < folded.length; i++) if (folded.written[i] === WRITTEN_UPPER) capitals.push(i)
  folded.release()
  return capitals
}

const compileName = (owner: TermOwner, name: string): CompiledTerm | undefined => {
  // A name registered as "Acme™" is Acme, because the sign is a separator in every text
  const form = toComparisonForm(name)
  if (!/[\p{L}\p{N}]/u.test(form)) return undefined
  const { units, length } = makeLiteralText(form)
  const first = classOf(readCodePoint(units, 0, length))
  const last = classOf(pointBefore(units, length))
  const lastWord = /\p{L}*$/u.exec(form)?.[0] ?? ""
  const letters = form.match(letterPattern)?.length ?? 0
  const caseRule = caseRuleOf(name)
  return {
    owner,
    name,
    form,
    domain: false,
    caseRule,
    wordIn: caseRule === "notLower" ? languageOfWord(form) : undefined,
    capitals: [],
    derived: false,
    placed: false,
    verb: caseRule === "notLower" && isCommonVerb(form),
    doubtful: caseRule === "notLower",
    homonym: caseRule === "notLower" ? findHomonym(form, name) : undefined,
    context: "none",
    first,
    last,
    takesS: last === CLASS_LATIN && lastWord.length >= (caseRule === "capitals" ? 3 : 4) && !lastWord.endsWith("s"),
    takesCase: last === CLASS_CYRILLIC && !/[аеёиоуыэюяіїєйьъў]\u0306?$/u.test(form) && !form.endsWith("\u0306"),
    inflects: last === CLASS_LATIN && lastWord.length >= 4 && caseRule !== "capitals",
    replaced: "",
    isWord: false,
    takesProclitic: (first === CLASS_ARABIC || first === CLASS_HEBREW) && letters >= 4
  }
}

/** The host of a registered domain, which can also be a URL; empty if it contains no host. */
const hostOf = (domain: string): string => {
  const host = domain.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/[/?#:].*$/s, "").replace(/^www\./i, "")
  const form = host.normalize("NFKC").toLowerCase().replace(/\.+$/, "")
  return form.includes(".") && !/\s/.test(form) ? form : ""
}

const compileDomain = (owner: TermOwner, domain: string): CompiledTerm | undefined => {
  const host = compileName(owner, hostOf(domain))
  return host === undefined
    ? undefined
    : {
      ...host,
      domain: true,
      caseRule: "any",
      verb: false,
      doubtful: false,
      takesS: false,
      takesCase: false,
      takesProclitic: false,
      inflects: false
    }
}

/**
 * Adds the need for context words: if an entity has context words, its names need one of them. A domain is unambiguous
 * and always counts.
 */
const withContext = (term: CompiledTerm, { context = [] }: EntityTerms): CompiledTerm =>
  context.length === 0 || term.domain ? term : { ...term, context: "needs" }

const compileContext = (owner: TermOwner, { context = [] }: EntityTerms): ReadonlyArray<CompiledTerm> =>
  context.map((word) => compileName(owner, word)).filter((term) => term !== undefined).flatMap((term) => {
    const shows: CompiledTerm = { ...term, caseRule: "any", context: "shows", isWord: true }
    return [shows, ...stemsOf(shows, replacedOfWords(term.last))]
  })

/** The term without the final letters that an ending can replace. */
const stemsOf = (term: CompiledTerm, all: ReadonlyArray<string>): ReadonlyArray<CompiledTerm> =>
  all.flatMap((replaced) => {
    const form = term.form.slice(0, -replaced.length)
    // As in "Zara" and "Zarze". Context words also count in lower case, so they must keep more letters
    const fits = term.form.endsWith(replaced) &&
      (term.isWord || replaced.length < 2 ? /\p{L}{3}$/u : /\p{L}{2}$/u).test(form)
    return fits ? [{ ...term, form, replaced, takesS: false, takesCase: false, verb: false }] : []
  })

/** The name without the final letters that an ending can replace, as in "Biedronka" and "Biedronce". */
const compileStems = (term: CompiledTerm): ReadonlyArray<CompiledTerm> => {
  if (term.inflects) return stemsOf(term, replacedEndings)
  return stemsOf(term, Object.keys(term.last === CLASS_CYRILLIC ? cyrillicReplacements : greekReplacements))
}

const compileEntity = (owner: TermOwner, entity: EntityTerms): ReadonlyArray<CompiledTerm> =>
  [
    ...[entity.name, ...entity.aliases].map((name) => compileName(owner, name)),
    ...entity.domains.map((domain) => compileDomain(owner, domain))
  ].filter((term) => term !== undefined).map((term) => withContext(term, entity))

/** Matches a capital inside a word, as in "BestBuy". A compound of common words has none there. */
const hump = /^\p{Lu}.*\p{Lu}\p{Ll}/u

/** Compiles a spelling that can only be the name. If it has several words, it counts only with their capitals. */
const compileSafe = (term: CompiledTerm, { kind, text }: Spelling): CompiledTerm => {
  const exact = kind === "split" || (kind === "legalForm" && term.caseRule === "notLower" && / /.test(term.form))
  if (exact) return { ...term, caseRule: "asWritten", capitals: findCapitals(text), verb: false }
  return kind === "joined" ? { ...term, caseRule: "prose", verb: false } : term
}

/** Compiles an ambiguous spelling, which counts where its capitals show that it is the name. */
const compileUnsafe = (term: CompiledTerm, { kind, text }: Spelling): CompiledTerm | undefined => {
  const capitals = findCapitals(text)
  if (kind === "joined" && hump.test(text)) {
    return { ...term, caseRule: "humped", capitals, verb: false, homonym: undefined }
  }
  if (kind === "split") return { ...term, caseRule: "asWritten", capitals, verb: false, placed: true }
  // Two letters such as those of "IT GmbH" or "AI Inc." mean something else in most texts
  if (kind !== "legalForm" || term.form.length < 3 || capitals[0] !== 0) return undefined
  return { ...term, caseRule: "asWritten", capitals, wordIn: undefined, verb: false, placed: true }
}

/** Compiles the other spellings that count for an entity. Explanations show the registered name instead. */
const compileSpellings = (owner: TermOwner, entity: EntityTerms): ReadonlyArray<CompiledTerm> =>
  spellingsOf(entity).flatMap((spelling): ReadonlyArray<CompiledTerm> => {
    const term = compileName(owner, spelling.text)
    const compiled = term && (spelling.safe ? compileSafe(term, spelling) : compileUnsafe(term, spelling))
    return compiled === undefined ? [] : [withContext({ ...compiled, name: entity.name, derived: true }, entity)]
  })

const compileRegistered = (
  brand: EntityTerms,
  competitors: ReadonlyArray<EntityTerms>,
  excludes: ReadonlyArray<string>
): ReadonlyArray<CompiledTerm> => [
  ...compileEntity("brand", brand),
  ...competitors.flatMap((competitor, index) => compileEntity(index, competitor)),
  ...compileEntity("exclude", { name: "", aliases: excludes, domains: [] })
]

/**
 * Compiles the other spellings of the names. Registered terms take precedence. A spelling that two entities share
 * counts for neither of them and blocks its text like an excluded term, so that adding an entity never adds mentions of
 * another.
 */
const compileDerived = (
  registered: ReadonlyArray<CompiledTerm>,
  brand: EntityTerms,
  competitors: ReadonlyArray<EntityTerms>
): ReadonlyArray<CompiledTerm> => {
  const known = new Set(registered.map((term) => term.form))
  const derived = new Map<string, CompiledTerm>()
  const spellings = [
    ...compileSpellings("brand", brand),
    ...competitors.flatMap((competitor, index) => compileSpellings(index, competitor))
  ]
  for (const term of spellings) {
    if (known.has(term.form)) continue
    const earlier = derived.get(term.form)
    derived.set(term.form, earlier === undefined || earlier.owner === term.owner ? term : { ...term, owner: "exclude" })
  }
  return [...derived.values()]
}

/**
 * Compiles the tracked entities; competitors are numbered in the given order. Never throws: leaves out terms without
 * letters or digits. If a term is registered twice, its first owner wins.
 */
export const compileTerms = (
  brand: EntityTerms,
  competitors: ReadonlyArray<EntityTerms>,
  excludes: ReadonlyArray<string> = []
): CompiledTerms => {
  const registered = compileRegistered(brand, competitors, excludes)
  const whole = [...registered, ...compileDerived(registered, brand, competitors)]
  const contexts = [
    ...compileContext("brand", brand),
    ...competitors.flatMap((competitor, index) => compileContext(index, competitor))
  ]
  const terms = [...whole, ...whole.filter((term) => !term.domain).flatMap(compileStems), ...contexts]
  return {
    terms,
    hasContext: contexts.length > 0,
    automaton: buildAutomaton(terms.map((term) => term.form)),
    names: new Set(whole.filter((term) => !term.domain && term.owner !== "exclude").map((term) => term.form))
  }
}

/**
 * Finds terms that are registered for more than one entity (or for an entity and `excludes`), which is a configuration
 * error (M11). Returns their comparison forms, in order of registration.
 */
export const termConflicts = (
  brand: EntityTerms,
  competitors: ReadonlyArray<EntityTerms>,
  excludes: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const owners = new Map<string, TermOwner>()
  const conflicts = new Set<string>()
  for (const term of compileRegistered(brand, competitors, excludes)) {
    const owner = owners.get(term.form)
    if (owner === undefined) owners.set(term.form, term.owner)
    else if (owner !== term.owner) conflicts.add(term.form)
  }
  return [...conflicts]
}
