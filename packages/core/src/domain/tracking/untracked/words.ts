/** Words that help to judge the names that contain them or are beside them. */
import { isCommonWord } from "../../measuring/commonWords.ts"
import { toComparisonForm } from "../../measuring/measureAnswer.ts"
import { isOpener, isTechnology } from "./wordLists.ts"

const toSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Words that begin headings, features and advice, but not names. */
const sectionWords = toSet(`
a an the this that these those your our my its their his i you we it they he she if when while for with without by from in on at to of and or but as is are was be do don't let's here there what which who why how where not no best top other others overall pros cons note notes tip tips key factors features feature price prices cost
pricing verdict summary conclusion recommendation recommendations example also however ultimately additionally remember consider look check choose more most learn ai new men's women's kid's kids' men women kids some many both each all any every see one two der die das ein eine für mit fazit tipp und oder el la los las un una
gen pro plus mini ultra elite lite series
para con y o le les des du une pour avec et ou`)

export const articles = toSet(
  "the a an this that these your der die das den dem ein eine einen el la los las un una le les l une il lo de het een o os"
)

/** Words inside names: "House of Marley", "Briggs & Riley". */
export const joints = toSet("& + and of to the in for a de la le du di del von van und y e et 'n against")

/** Words that precede the names of makers and sellers. */
export const agents = toSet(
  "from by at like as via than von bei wie de par chez comme como da come bij zoals and or und oder y o et ou"
)

/** Endings of words that are rarely names. */
const endings =
  /(?:ability|ibility|ness|tion|tions|ment|ments|able|less|proof|friendly|resistant|free|ful|ization|ized|ability|ung|keit|heit|ität|ción|dad|idad|ité|zione|ità|ção|dade|ing|ed|ers)$/

export const hasWordEnding = (word: string): boolean => endings.test(word)

/** Whether a word in lower case is in a list of words that are not names. */
export const isListed = (word: string): boolean => sectionWords.has(word) || isTechnology(word)

export const isSectionWord = (word: string): boolean => sectionWords.has(word)

/** Whether a dictionary contains a word in lower case, or all its parts. */
export const isDictionaryWord = (word: string): boolean =>
  word.split(/[-' ]/).every((part) => part.length < 2 || joints.has(part) || isCommonWord(toComparisonForm(part)))

export { isOpener }

/** Whether a text is spelled unusually: `GreenPan`, `De'Longhi`, `LEVEL8`, `AT&T` */
export const isOddlyWritten = (text: string): boolean => /\p{Ll}\p{Lu}|\p{L}\d|\d\p{L}|&|\p{Lu}'\p{Lu}/u.test(text)
