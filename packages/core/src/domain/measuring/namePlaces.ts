/**
 * Finds positions at which a capital shows that a word is a name (M7): "paid with Stripe", "built by Hub Spot",
 * «Лента». At the start of a sentence, in a heading or after another capitalised word, any word may have a capital.
 * After an article a capital proves nothing ("the Drop Box").
 */
import { type FoldedText, WRITTEN_LOWER, WRITTEN_UPPER } from "./comparisonForm.ts"
import { opensSentence } from "./imperatives.ts"
import { wordBefore } from "./neighbours.ts"
import { SPACE } from "./offsetText.ts"

/**
 * The role of a capitalised word at its position: `name`, `word`, or `open`, which counts as a name only if the text
 * has the name elsewhere.
 */
export type Place = "name" | "open" | "word"

/**
 * Lower-case words that precede names, in comparison form. German capitalises every noun, so the list has no German
 * words, not even shared ones such as "in" and "so".
 */
const leads = new Set(
  ("with by from to of for and or like than versus vs through without using use uses used choose try buy bought prefer recommend called " +
    "named against including company brand maker retailer provider " +
    "avec par chez de et ou comme pour con por y como para e com met bij van door och eller hos av fra og " +
    "z od przez i lub dla nebo ja tai ve ile veya es vagy с в во от и или из на по через для у як з від та або").split(
      " "
    )
)

/** Lead words that can also open a sentence. */
const openingLeads = new Set("with like use using try choose buy prefer avec con com met".split(" "))

const determiners = new Set(
  ("the a an my our your their its his her this that these those each every any some no another der die das den dem des ein eine einen einem " +
    "einer eines kein keine mein meine le la les un une des mon ma mes el los las una mi il lo gli o os as um uma het een en ett den det")
    .split(" ")
)

const LEFT_GUILLEMET = 0xab
const RIGHT_GUILLEMET = 0xbb

/** Decides the role of the capitalised word at `[start, end)`. */
export const placeOf = (text: FoldedText, start: number, end: number): Place => {
  const { units, written } = text
  if (units[start - 1] === LEFT_GUILLEMET && units[end] === RIGHT_GUILLEMET) return "name"
  if (units[start - 1] !== SPACE || written[start - 2] !== WRITTEN_LOWER) return "open"
  const before = wordBefore(text, start)
  if (determiners.has(before)) return "word"
  const lead = start - 1 - before.length
  // "Use Stripe" opens a sentence; in headings the next word also has a capital
  if ((written[lead]! & WRITTEN_UPPER) !== 0 && (!openingLeads.has(before) || !opensSentence(text, lead))) return "open"
  const goesOn = units[end] === SPACE && (written[end + 1]! & WRITTEN_UPPER) !== 0
  return leads.has(before) && !goesOn ? "name" : "open"
}
