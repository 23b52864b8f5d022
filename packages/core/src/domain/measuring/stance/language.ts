/** Chooses the lexicon for a text by its script, or else by its function words. */
import { CLASS_HAN, CLASS_HIRAGANA, CLASS_LATIN, classOf, readCodePoint } from "../characters.ts"
import { type FoldedText, toComparisonForm } from "../comparisonForm.ts"
import { sliceUnits } from "../offsetText.ts"
import { type CompiledLexicon, compileLexicon, entriesOf, type Lexicon } from "./Lexicon.ts"
import { de } from "./lexicons/de.ts"
import { en } from "./lexicons/en.ts"
import { es } from "./lexicons/es.ts"
import { fr } from "./lexicons/fr.ts"
import { it } from "./lexicons/it.ts"
import { ja } from "./lexicons/ja.ts"
import { nl } from "./lexicons/nl.ts"
import { pt } from "./lexicons/pt.ts"
import { zh } from "./lexicons/zh.ts"

const spaced = [en, de, fr, es, it, pt, nl]

/** Function words of languages without a lexicon, so that their texts are not mistaken for a language that has one. */
const unread = [
  "jest, są, nie, się, że, jako, przez, oraz, dla, który, która, które, także, również, ale, lub, od, przy, bardzo", // Polish
  "ve, bir, bu, için, ile, olarak, çok, gibi, daha, olan, veya, ancak, ise, hem, kadar, değil", // Turkish
  "och, att, det, som, ett, är, för, med, på, av, till, inte, den, har, kan, också, eller, från", // Swedish
  "og, er, det, som, et, for, med, på, af, til, ikke, den, har, kan, også, eller, fra", // Danish, Norwegian
  "ja, on, ei, se, että, joka, tai, myös, ovat, sekä, mutta, kuin", // Finnish
  "je, se, na, že, pro, jako, které, nebo, také, jsou, při, byl, aj, sú", // Czech, Slovak
  "az, egy, hogy, nem, meg, mint, vagy, ez, azonban, valamint", // Hungarian
  "și, este, cu, pentru, care, sunt, sau, din, mai, dar, nu, foarte, prin, poate", // Romanian
  "dan, yang, untuk, dengan, adalah, ini, itu, juga, dari, atau, tidak, dalam", // Indonesian, Malay
  "là, và, của, cho, có, không, những, một, được, với, các, trong" // Vietnamese
]

/** Maximum number of units that are read to detect the language. */
const sample = 20_000

// Compiled lexicons, created on first use, because this is too slow for commands that measure nothing.
const compiled = new Map<Lexicon, CompiledLexicon>()
const getCompiledLexicon = (lexicon: Lexicon): CompiledLexicon => {
  const known = compiled.get(lexicon) ?? compileLexicon(lexicon)
  compiled.set(lexicon, known)
  return known
}

/**
 * For each word, its weight in each language of {@link spaced} and {@link unread}. A function word is stronger evidence
 * than a content word.
 */
let evidence: ReadonlyMap<string, ReadonlyArray<number>> | undefined
const getWordEvidence = (): ReadonlyMap<string, ReadonlyArray<number>> => {
  if (evidence !== undefined) return evidence
  const weights = new Map<string, Array<number>>()
  const addTo = (index: number) => (field: string, weight: number): void => {
    for (const entry of entriesOf(field)) {
      const form = toComparisonForm(entry.replace("*", ""))
      if (!/^[a-z]+$/.test(form)) continue
      const row = weights.get(form) ?? [...spaced, ...unread].map(() => 0)
      row[index] = Math.max(row[index]!, weight)
      weights.set(form, row)
    }
  }
  unread.forEach((words, index) => addTo(spaced.length + index)(words, 2))
  spaced.forEach((lexicon, index) => {
    const add = addTo(index)
    add(lexicon.common, 2)
    for (const field of [lexicon.praise, lexicon.best, lexicon.blame, lexicon.worst, lexicon.recommend]) add(field, 1)
    for (const field of [lexicon.discourage, lexicon.wins, lexicon.not, lexicon.but]) add(field, 1)
  })
  return evidence = weights
}

const isLatin = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || (unit > 0x7f && classOf(unit) === CLASS_LATIN)

/** Maximum length of a common word, in units. */
const maxWordLength = 24

/** The lexicon for `text`; undefined if its language has none. */
export const findLexicon = (text: FoldedText): CompiledLexicon | undefined => {
  const { units } = text
  const length = Math.min(text.length, sample)
  const words = getWordEvidence()
  const scores = [...spaced, ...unread].map(() => 0)
  let kana = 0
  let han = 0
  let latin = 0
  let other = 0
  for (let i = 0; i < length;) {
    const unit = units[i]!
    if (isLatin(unit)) {
      const start = i
      while (i < length && isLatin(units[i]!)) i++
      latin++
      if (i - start <= maxWordLength) {
        words.get(sliceUnits(text, start, i))?.forEach((weight, n) => scores[n]! += weight)
      }
      continue
    }
    const found = classOf(readCodePoint(units, i, length))
    if (found === CLASS_HIRAGANA) kana++
    else if (found === CLASS_HAN) han++
    else if (found > CLASS_LATIN) other++
    i++
  }
  // A Latin word weighs as much as one character, because answers in Chinese and Japanese contain many Latin names.
  if (kana > 1 && kana + han >= latin) return getCompiledLexicon(ja)
  if (han > 0 && han >= latin) return getCompiledLexicon(zh)
  if (other > latin) return undefined
  const best = Math.max(...scores)
  const chosen = best === 0 ? en : spaced[scores.indexOf(best)]
  return chosen === undefined ? undefined : getCompiledLexicon(chosen)
}
