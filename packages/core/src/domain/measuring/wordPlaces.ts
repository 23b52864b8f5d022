/**
 * Positions that show that a name which is also a common word is used as the ordinary word (M17): part of another term
 * ("Carry-On", "Hard Shell:"), the label of a figure ("Zoom: 5x"), the end of a title ("Lord of the Rings"), an adverb
 * that opens a sentence ("Next, compare"), one of many ("a Dove is"), joined with a word ("Sun and wind"). The name
 * does not count there unless the answer shows it elsewhere.
 */
import { CLASS_DIGIT, CLASS_NONE, classOf } from "./characters.ts"
import { type FoldedText, WRITTEN_LOWER, WRITTEN_UPPER } from "./comparisonForm.ts"
import { opensSentence } from "./imperatives.ts"
import { placeOf } from "./namePlaces.ts"
import { wordAfter, wordBefore } from "./neighbours.ts"
import { BLOCK_BREAK, sliceUnits, SPACE } from "./offsetText.ts"

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "))

/** Words that form a term with a common word after them, either with a hyphen or at the beginning of an item. */
const qualifiers = set(
  "hard soft optical digital grand net gross sub round flat double single dual full half inner outer left right upper lower front rear " +
    "wide narrow high low deep dark light dry wet hot cold open closed main extra total average annual monthly weekly daily " +
    "add bolt carry check clip drop hands log plug pull push roll sign slip snap stand strap walk work"
)

/** Adverbs and greetings that are also company names. */
const adverbs = set(
  "next now first plus sure well claro klar bravo oi super prima genau natuerlich bueno bien ecco sok"
)
/** After an adverb and a comma, these words show that the adverb is a company: "Next, which sells clothes". */
const relatives = set("which who whose a an the known based one das die der ein eine que uma um una il la le qui")
/** Words that are not names if they are the cell or heading of a table. */
const headers = set("total plus next now first best kind brand")
const sums = set("of between")

const COLON = 0x3a
const COMMA = 0x2c
const HYPHEN = 0x2d
const currency = new Set([0x24, 0x20ac, 0xa3, 0xa5, 0x20b9])

const skipSpace = ({ units }: FoldedText, at: number): number => units[at] === SPACE ? at + 1 : at
const endsBlock = (text: FoldedText, end: number): boolean => {
  const at = skipSpace(text, end)
  return at >= text.length || text.units[at] === BLOCK_BREAK
}
const opensBlock = ({ units }: FoldedText, start: number): boolean => {
  const at = units[start - 1] === SPACE ? start - 1 : start
  return at === 0 || units[at - 1] === BLOCK_BREAK
}

/** The word directly before a hyphen at `start - 1`. */
const wordBeforeHyphen = (text: FoldedText, start: number): string => {
  let from = start - 1
  while (from > 0 && start - from < 20 && classOf(text.units[from - 1]!) !== CLASS_NONE) from--
  return sliceUnits(text, from, start - 1)
}

const isSecondPart = (text: FoldedText, start: number, end: number): boolean => {
  const { units, written } = text
  if (units[start - 1] === HYPHEN) return qualifiers.has(wordBeforeHyphen(text, start))
  const before = wordBefore(text, start)
  const from = start - 1 - before.length
  if (!qualifiers.has(before) || (written[from]! & WRITTEN_UPPER) === 0 || !opensSentence(text, from)) return false
  return units[skipSpace(text, end)] === COLON || endsBlock(text, end) || wordAfter(text, end) === "vs"
}

const isLabel = (text: FoldedText, start: number, end: number): boolean => {
  const colon = skipSpace(text, end)
  if (text.units[colon] !== COLON || !opensSentence(text, start)) return false
  const after = text.units[skipSpace(text, colon + 1)] ?? 0
  return classOf(after) === CLASS_DIGIT || currency.has(after)
}

const isAdverb = (text: FoldedText, start: number, end: number): boolean => {
  if (text.units[end] !== COMMA || !adverbs.has(sliceUnits(text, start, end)) || !opensSentence(text, start)) {
    return false
  }
  return text.written[end + 2] === WRITTEN_LOWER && !relatives.has(wordAfter(text, end + 1))
}

const isHeader = (text: FoldedText, start: number, end: number): boolean =>
  endsBlock(text, end) && opensBlock(text, start) && headers.has(sliceUnits(text, start, end))

/** Whether the word is the end of a title, such as "Lord of the Rings". */
const isPluralOfTitle = (text: FoldedText, start: number): boolean => {
  const [article, of] = [start - 4, start - 7]
  return of > 1 && wordBefore(text, start) === "the" && wordBefore(text, article) === "of" &&
    text.written[of] === WRITTEN_LOWER && text.units[of - 1] === SPACE &&
    (text.written[of - 1 - wordBefore(text, of).length]! & WRITTEN_UPPER) !== 0
}

/** Articles that refer to one thing among many and do not precede company names. */
const english = set("a an every each some")
const indefinite = new Set([...english, ..."un une um uma een".split(" ")])
/**
 * German indefinite articles. In German the noun of a product also has a capital, so any other word after the name
 * shows the ordinary word.
 */
const indefiniteGerman = set("ein eine einen einem einer kein keine keinen")
/** Articles before names of things. Of these, "the" can also precede company names. */
const definite = set("the le el il o")
/**
 * Words that can follow an ordinary word, but are not the noun of a product ("a Ring doorbell"), in English and other
 * languages.
 */
const goOn = set(
  "of with in on at for from by to and or is was can has that which between until unless when before after while the"
)
const goOnOthers = set(
  "de du des en au avec pour dans est qui se et con por para es que e y al di da del della nel com em no na dos van " +
    "voor met op"
)
/** Words after Portuguese "a", which is not the English article: "A Claro mais barata". */
const portuguese = set("as os dos das nos nas aos mas mais")
const joiners = set("and or und oder et ou y o e och og en i")
/** After "and" these words introduce other companies: "Slack and similar tools". */
const others = set(
  "other others similar many several most more all both also then so its their the we you they some another even not " +
    "only andere ahnliche viele auch die der das autres les otros otras similares los las altri altre simili gli " +
    "outros outras andra liknande flera andre lignende flere vergelijkbare het"
)

const isLower = (text: FoldedText, at: number): boolean => text.written[at] === WRITTEN_LOWER

/**
 * Whether the word has an article and is not followed by a noun: "A Dove is …", "on a Loom with …", "the Chase lasted".
 */
const hasArticle = (text: FoldedText, start: number, end: number): boolean => {
  const before = wordBefore(text, start)
  const next = wordAfter(text, end)
  if (indefiniteGerman.has(before)) return text.units[end] === COMMA || isLower(text, end + 1)
  if (text.units[end] !== SPACE || !isLower(text, end + 1)) return false
  const adjective = start - 1 - before.length
  const isArticle = indefinite.has(before) || definite.has(before)
  const article = isArticle || !isLower(text, adjective) ? before : wordBefore(text, adjective)
  // After an ordinary word with "a", a word that ends like a plural is a verb
  if (english.has(article)) return goOn.has(next) || (/(?:[^s]s|ed)$/.test(next) && !portuguese.has(next))
  if (indefinite.has(article)) return goOnOthers.has(next)
  if (article !== "the") return definite.has(article)
  return isArticle ? /[^e]ed$/.test(next) : goOn.has(next)
}

/** Whether the word opens the sentence and is joined with a word in lower case: "Sun and wind …". */
const isJoined = (text: FoldedText, start: number, end: number): boolean => {
  if (!joiners.has(wordAfter(text, end)) || !isLower(text, end + 1) || !opensSentence(text, start)) return false
  const second = end + 1 + wordAfter(text, end).length
  const next = wordAfter(text, second)
  return next.length > 2 && isLower(text, second + 1) && !others.has(next)
}

/**
 * Whether the position of the common word at `[start, end)` shows the ordinary word; `isPlural` means that an `s`
 * follows it.
 */
export const isWordPlace = (text: FoldedText, start: number, end: number, isPlural: boolean): boolean => {
  if (isSecondPart(text, start, end) || isLabel(text, start, end)) return true
  if (isAdverb(text, start, end) || isHeader(text, start, end) || (isPlural && isPluralOfTitle(text, start))) {
    return true
  }
  // Only single words: "a Best Western with a pool" is a hotel
  const isSingle = !text.units.subarray(start, end).includes(SPACE)
  if (isSingle && !isLower(text, start) && (hasArticle(text, start, end) || isJoined(text, start, end))) return true
  return sums.has(wordAfter(text, end)) && text.written[end + 1] === WRITTEN_LOWER &&
    placeOf(text, start, end) === "word"
}
