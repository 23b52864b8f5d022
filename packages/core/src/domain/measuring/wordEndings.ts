/**
 * Endings of ordinary words, for context words (M18): the word "Schuh" also matches "Schuhe", "puhelin" also matches
 * "puhelimet". Names have fewer endings (inflections.ts). A wrong match of a context word does little harm, because a
 * mention also needs the name.
 */
import { CLASS_CYRILLIC } from "./characters.ts"
import type { FoldedText } from "./comparisonForm.ts"
import { countWords, english, inflections, others, scoreIn } from "./inflections.ts"

/** Endings that follow a word, and endings that replace its last letters, in comparison form. */
interface Endings {
  readonly after: ReadonlySet<string>
  readonly instead: Readonly<Record<string, ReadonlySet<string>>>
}

interface Language extends Endings {
  /** Function words that identify the language. */
  readonly words: ReadonlySet<string>
}

const set = (list: string): ReadonlySet<string> => new Set(list.split(" "))

const none: Endings = { after: new Set(), instead: {} }

/** A language with its endings of words and of names. */
const language = (
  words: ReadonlySet<string>,
  after: string,
  instead: Readonly<Record<string, string>> = {},
  names = none
): Language => ({
  words,
  after: new Set([...names.after, ...set(after)]),
  instead: {
    ...names.instead,
    ...Object.fromEntries(
      Object.entries(instead).map(([last, all]) => [last, new Set([...names.instead[last] ?? [], ...set(all)])])
    )
  }
})

const { cs, et, fi, hr, hu, pl, tr } = inflections

const scandinavian = "en et n t er r ene erne ne rne a ens ets s"

const languages: ReadonlyArray<Language> = [
  language(english, "s es", { y: "ies" }),
  language(others["de"]!, "e en n er ern s es"),
  language(others["nl"]!, "en n s eren"),
  language(others["fr"]!, "s x", { al: "aux" }),
  language(others["es"]!, "s es", { z: "ces" }),
  language(others["pt"]!, "s es", { ao: "oes aos aes", l: "is", m: "ns" }),
  language(others["it"]!, "", { o: "i", io: "i", a: "e", e: "i", co: "chi", ca: "che", go: "ghi", ga: "ghe" }),
  language(others["sv"]!, "en n et t ar er or r na arna erna orna s ens ets arnas ernas ornas", {
    a: "or orna ornas"
  }),
  language(set("og det er en som paa af for med at i den til ikke har der vi kan et fra"), scandinavian),
  language(set("og det er en som pa av for med a i den til ikke har vi kan et fra"), scandinavian),
  language(fi!.words, "et ella elta elle essa esta eksi eja oja ita oita iden oiden", {
    in: "imen imet imena imessa imesta imella imelta imelle imeksi imeen inta imia imissa imista imien",
    nen: "sen set sena sessa sesta sella selta selle seksi seen sta sia sissa sista sten",
    i: "en et eja issa ista eissa eista"
  }, fi),
  language(et!.words, "id d te de", {}, et),
  language(hu!.words, "ok ek ak k okat eket akat kat okban ekben kban oknak eknek oknal eknel okkal ekkel", {}, hu),
  language(tr!.words, "lari leri larin lerin lara lere larda lerde lardan lerden larla lerle", {
    p: "bi be bin bu bun"
  }, tr),
  language(pl!.words, "ach", { a: "ach ami om" }, pl),
  language(cs!.words, "ich", { a: "ach ami am" }, cs),
  language(hr!.words, "", { a: "ama" }, hr)
]

/**
 * Russian and Ukrainian endings by the last letter that they replace; endings.ts contains the endings after a
 * consonant.
 */
const cyrillic: Readonly<Record<string, ReadonlySet<string>>> = {
  а: set("ы и е у ой ою ам ах ами і"),
  я: set("и е ю ей ею ям ях ями і ї"),
  ь: set("и і ю я е ью ем ей ям ях ями"),
  е: set("я ю ем и й ям ях ями"),
  о: set("а у ом е ам ах ами")
}

const allReplaced = (tables: ReadonlyArray<Readonly<Record<string, unknown>>>): ReadonlyArray<string> =>
  [...new Set(tables.flatMap(Object.keys))].toSorted((a, b) => b.length - a.length)

const replacedLatin = allReplaced(languages.map(({ instead }) => instead))
const replacedCyrillic = allReplaced([cyrillic])

/**
 * The final letters that an ending of any language can replace, longest first. `last` is the class of the last
 * character.
 */
export const replacedOfWords = (last: number): ReadonlyArray<string> =>
  last === CLASS_CYRILLIC ? replacedCyrillic : replacedLatin

/** Whether `suffix` can replace the letters `replaced` of a Cyrillic word. */
export const addsCyrillicEnding = (suffix: string, replaced: string): boolean =>
  cyrillic[replaced]?.has(suffix) === true

/** The languages with the most function words in a text; all languages if the text has no function words. */
export const findLanguages = (text: FoldedText): ReadonlyArray<Endings> => {
  const score = scoreIn(countWords(text))
  const own = languages.map((one) => [one, score(one.words)] as const)
  const best = Math.max(...own.map(([, points]) => points))
  return own.filter(([, points]) => points === best).map(([one]) => one)
}

/** Whether one of these languages adds `suffix` to a word, replacing its letters `replaced`. */
export const addsWordEnding = (found: ReadonlyArray<Endings>, suffix: string, replaced: string): boolean =>
  found.some(({ after, instead }) => (replaced === "" ? after : instead[replaced])?.has(suffix) === true)
