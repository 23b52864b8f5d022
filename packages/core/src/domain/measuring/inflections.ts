/**
 * Endings that languages add to names in Latin letters (M9), and the detection of the language. An ending counts only
 * in a text of its language: "Nokian" is the genitive of Nokia in Finnish, but not a word in English.
 */
import { CLASS_LATIN, classOf } from "./characters.ts"
import type { FoldedText } from "./comparisonForm.ts"
import { sliceUnits } from "./offsetText.ts"

const set = (list: string): ReadonlySet<string> => new Set(list.split(" "))

interface Inflection {
  /** Function words that identify the language, in comparison form. */
  readonly words: ReadonlySet<string>
  /** Endings that follow the whole name. */
  readonly after: ReadonlySet<string>
  /** Endings that replace the last letters of the name; the key is the letters that are replaced. */
  readonly instead: Readonly<Record<string, ReadonlySet<string>>>
}

const none: ReadonlySet<string> = new Set()
const inflection = (words: string, after: string, instead: Readonly<Record<string, string>> = {}): Inflection => ({
  words: set(words),
  after: after === "" ? none : set(after),
  instead: Object.fromEntries(Object.entries(instead).map(([last, endings]) => [last, set(endings)]))
})

/**
 * Finnish gradation: if a name ends in a vowel, an ending that closes the syllable weakens its last consonants.
 * "Marimekko" becomes "Marimekon" and "Marimekossa", "Sampo" becomes "Sammon". (Iso suomen kielioppi, § 41)
 */
const gradation = (): Readonly<Record<string, string>> => {
  const weak = { kk: "k", pp: "p", tt: "t", mp: "mm", nt: "nn", nk: "ng", lt: "ll", rt: "rr" }
  const endings = ["n", "ssa", "sta", "lla", "lta", "lle", "ksi", "t"]
  const pairs = Object.entries(weak).flatMap(([strong, soft]) =>
    Array.from("aeiouy", (vowel) => [strong + vowel, endings.map((one) => soft + vowel + one).join(" ")] as const)
  )
  return Object.fromEntries(pairs)
}

/** Inflections by language, in comparison form, which has no diacritics: Hungarian "Tescóban" is `tesco` and `ban`. */
export const inflections: Readonly<Record<string, Inflection>> = {
  fi: inflection(
    "ja on ei se etta mutta kun jos myos oli tai hyva hyvin voi saa ovat kuin tama paljon koska uusi han nyt ole sen oma joka mita ei eivat tassa siella kanssa enemman jonka kuitenkin siita olen voit",
    "n a aa an en in on un lla lta lle ssa sta ksi na ta ja in illa ilta ille issa ista iin iksi ina ia ien it t han hin seen ineen",
    gradation()
  ),
  et: inflection(
    "on ja ei see et kui ka oma hea mis saab ma siis voi kas aga ning ta uus olen seda selle minu sest juba meie palju rohkem siin vaga",
    "i is ist it ile il ilt iga iks ini ita sse s st le l lt ga ks ni ta"
  ),
  hu: inflection(
    "a az es van nem hogy egy ez meg csak jo ott itt mint ha volt olcso jobb mert ami vagy mar de ki fel sok tobb nagyon ezt azt ezert lehet mindig vannak egyik legjobb",
    "ban ben ba be bol bel nal nel hoz hez tol tel rol ra re on en n t at et ot nak nek ig ert kent os es i val vel e a k ja je " +
      "bal bel dal del gal gel kal kel lal lel mal mel pal pel ral rel sal sel tal zal zel"
  ),
  tr: inflection(
    "ve bir bu cok icin ile daha var yok ama da de gibi en olan kadar iyi ucuz kolay ne mi hem veya ise o ayni sonra gore ancak sadece bunu olarak diye yeni nasil fakat",
    "dan den tan ten da de ta te in un nin nun i u yi yu e a ye ya la le yla yle lar ler",
    { k: "gi gin ge ga gu gun" }
  ),
  pl: inflection(
    "i w z na jest sie nie do to ze od po jak dla sa lub ide o przez oraz za czy co tam we ale juz ma tez tylko bardzo przy jako bez moze ktory ktora",
    "u a owi em ie y ow ami om",
    { a: "y i e o", ka: "ki ke ce ko ek", ra: "rze", ga: "dze", ta: "cie", da: "dzie" }
  ),
  cs: inflection(
    "a je v na se to ze s do od za jsem si pro jak ale nebo uz maji u k o ve ma neni jsou kde vsem proto velmi pri nebo mezi jeho svou ktery ktera muze lepsi",
    "u a em e y i ovi ech um",
    { a: "y e u ou o", ka: "ky ce ku kou ko", e: "u em" }
  ),
  hr: inflection(
    "je u i na se da od za su nego kao ali ili sam s sa to ne dobra svi jer koji koja samo jos vrlo nije vam kad treba bolje ovo",
    "u a om em e i ima",
    { a: "e i u om o", ka: "ke ci ku kom ko" }
  )
}

/** The inflections of every language. */
export const allInflections: ReadonlyArray<Inflection> = Object.values(inflections)

/**
 * English function words. If languages score the same, the text counts as English, because most answers are English.
 */
export const english = set("the is and of to in for with are was it that this by or at not from has have")

/**
 * Function words of languages without such endings, so that their texts are not mistaken for one of the languages
 * above.
 */
export const others: Readonly<Record<string, ReadonlySet<string>>> = {
  de: set("der die das und ist ein eine nicht mit von den im zu auf fur bei sind auch"),
  fr: set("de la le les et est un une des du en pour dans que sur pas avec au"),
  es: set("el la los las y es un una de en que por con para del no se al"),
  it: set("il la di che e un una per con del non sono gli le da in piu nel"),
  pt: set("o a os as e de um uma que do da em para com nao no na por"),
  sv: set("och det ar en som pa av for med att i den till inte har"),
  nl: set("de het een en van is in op dat niet met voor zijn te er aan")
}

/** Maximum number of units that are read to detect the language. */
const sample = 20_000
const maxWordLength = 8

/** Counts the short words in Latin letters. */
export const countWords = (text: FoldedText): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  const length = Math.min(text.length, sample)
  for (let i = 0; i < length;) {
    if (classOf(text.units[i]!) !== CLASS_LATIN) {
      i++
      continue
    }
    const start = i
    while (i < length && classOf(text.units[i]!) === CLASS_LATIN) i++
    if (i - start > maxWordLength) continue
    const word = sliceUnits(text, start, i)
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

/** Counts the words of a list in the text, each at most three times, so that no single word decides. */
export const scoreIn = (counts: ReadonlyMap<string, number>) => (words: ReadonlySet<string>): number => {
  let sum = 0
  for (const word of words) sum += Math.min(counts.get(word) ?? 0, 3)
  return sum
}

/**
 * The inflections of the text's language. If several languages score the same, the inflections of all of them; empty if
 * another language scores higher.
 */
export const findInflections = (text: FoldedText): ReadonlyArray<Inflection> => {
  const score = scoreIn(countWords(text))
  const own = allInflections.map((one) => [one, score(one.words)] as const)
  const best = Math.max(...own.map(([, points]) => points))
  if (best === 0 || score(english) >= best || Object.values(others).some((words) => score(words) > best)) return []
  return own.filter(([, points]) => points === best).map(([one]) => one)
}

const wordsOf = (language: string): ReadonlySet<string> => others[language] ?? inflections[language]?.words ?? none

/** Whether a text has more function words of some other language than of `language` (ISO 639-1). */
export const isForeignTo = (text: FoldedText, language: string): boolean => {
  const score = scoreIn(countWords(text))
  const own = score(wordsOf(language))
  return [
    english,
    ...[...Object.keys(others), ...Object.keys(inflections)].filter((one) => one !== language).map(wordsOf)
  ]
    .some((words) => score(words) > own)
}

/** The final letters that an ending of any language replaces, longest first. */
export const replacedEndings: ReadonlyArray<string> = [
  ...new Set(allInflections.flatMap(({ instead }) => Object.keys(instead)))
].toSorted((a, b) => b.length - a.length)

/**
 * Whether one of these languages adds `suffix` to a name. `last` contains the final letters that the suffix replaces.
 */
export const addsEnding = (found: ReadonlyArray<Inflection>, suffix: string, last: string): boolean =>
  found.some(({ after, instead }) => (last === "" ? after : instead[last] ?? none).has(suffix))

/** Greek endings that replace the final letters of a name, in comparison form. */
export const greekReplacements: Readonly<Record<string, ReadonlySet<string>>> = {
  οσ: set("ου ο ον ε"),
  ασ: set("α αν"),
  ησ: set("η ην"),
  ο: set("ου"),
  α: set("ασ ων"),
  η: set("ησ")
}

/** Endings in Cyrillic that replace the final letters of a name: Russian, Ukrainian, Belarusian, Bulgarian, Serbian. */
export const cyrillicReplacements: Readonly<Record<string, ReadonlySet<string>>> = {
  ка: set("ці"),
  а: set("ы и е у ой ою ам ах ами і"),
  я: set("и е ю ей ею ям ях ями і ї")
}
