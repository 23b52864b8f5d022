/**
 * Where a capital shows a name (M7): "paid with Stripe", "built by Hub Spot", «Лента». At the beginning of a sentence,
 * in a heading or behind another capital any word may have one, and behind an article a capital is a matter of taste
 * ("the Drop Box").
 */
import { type FoldedText, WRITTEN_LOWER, WRITTEN_UPPER } from "./comparisonForm.ts"
import { opensSentence } from "./imperatives.ts"
import { wordBefore } from "./neighbours.ts"
import { SPACE } from "./offsetText.ts"

/**
 * What a place says of a capitalised word: it is a `name`; it may be one, if the text has the name elsewhere (`open`);
 * it is a `word`.
 */
export type Place = "name" | "open" | "word"

/**
 * Words in lower case before a name. None of German, where every noun has a capital, nor one that German has as well:
 * "in", "so". In comparison form.
 */
const leads = new Set(
  ("with by from to of for and or like than versus vs through without using use uses used choose try buy bought prefer recommend called " +
    "named against including company brand maker retailer provider " +
    "avec par chez de et ou comme pour con por y como para e com met bij van door och eller hos av fra og " +
    "z od przez i lub dla nebo ja tai ve ile veya es vagy с в во от и или из на по через для у як з від та або").split(
      " "
    )
)

/** Those that may open a sentence before a name. */
const openingLeads = new Set("with like use using try choose buy prefer avec con com met".split(" "))

const determiners = new Set(
  ("the a an my our your their its his her this that these those each every any some no another der die das den dem des ein eine einen einem " +
    "einer eines kein keine mein meine le la les un une des mon ma mes el los las una mi il lo gli o os as um uma het een en ett den det")
    .split(" ")
)

const LEFT_GUILLEMET = 0xab
const RIGHT_GUILLEMET = 0xbb

/** What the place of the word at `[start, end)`, which begins with a capital, says of it. */
export const placeOf = (text: FoldedText, start: number, end: number): Place => {
  const { units, written } = text
  if (units[start - 1] === LEFT_GUILLEMET && units[end] === RIGHT_GUILLEMET) return "name"
  if (units[start - 1] !== SPACE || written[start - 2] !== WRITTEN_LOWER) return "open"
  const before = wordBefore(text, start)
  if (determiners.has(before)) return "word"
  const lead = start - 1 - before.length
  // "Use Stripe" opens a sentence; a heading goes on with a capital
  if ((written[lead]! & WRITTEN_UPPER) !== 0 && (!openingLeads.has(before) || !opensSentence(text, lead))) return "open"
  const goesOn = units[end] === SPACE && (written[end + 1]! & WRITTEN_UPPER) !== 0
  return leads.has(before) && !goesOn ? "name" : "open"
}
