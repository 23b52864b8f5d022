/**
 * Names that are also common verbs (M17): in "Target your ads" the first word is a command and not a shop. A verb is a
 * command only if it opens the sentence and is followed by an article or a possessive.
 */
import { CLASS_NONE, classOf, pointBefore } from "./characters.ts"
import { type FoldedText, WRITTEN_LOWER } from "./comparisonForm.ts"
import { BLOCK_BREAK, sliceUnits, SPACE } from "./offsetText.ts"

const verbs = new Set(
  ("apply ask bolt boost box brush build call chase check clean click clip compare connect cover dash deliver design " +
    "discover draw drive drop edge explore express fetch fit flex float focus form frame gather grab guess guide head hook " +
    "hunt jump keep kick launch lift light link list lock log loom map mark mask match measure merge mix move name " +
    "note notice open order pack paint park patch pay pin place plan play plug point polish pool post press print " +
    "prime prompt push reach read record render repeat ring rock roll run rush scale scout seal search sense set " +
    "shape share shift ship shop sign signal sketch slack slice slide snap sort spark split spot spray square squeeze " +
    "stack stage stamp start steam stitch stop store strap stream stretch strike stripe study sweep swing switch tag " +
    "tap target test thread tie time touch track trade train trim trust turn twist type unite use vault venture view " +
    "visit wash watch wave weave weigh wipe wire work wrap zip zoom").split(" ")
)
const determiners = new Set(
  "the a an your my our their its his her this that these those each every any some".split(" ")
)
const maxDeterminerLength = 5
/** Units that end a sentence: `. ! ? : …` */
const stops = new Set([0x2e, 0x21, 0x3f, 0x3a, 0x2026])

/** Whether a term in comparison form is a common verb. */
export const isCommonVerb = (form: string): boolean => verbs.has(form)

/** Whether the word at `start` opens a sentence. */
export const opensSentence = ({ units }: FoldedText, start: number): boolean => {
  for (let i = start; i > 0; i--) {
    const unit = units[i - 1]!
    if (unit === BLOCK_BREAK || stops.has(unit)) return true
    if (classOf(pointBefore(units, i)) !== CLASS_NONE) return false
  }
  return true
}

/** The word after the space at `end` if it is short and in lower case, else an empty string. */
const wordAfter = (text: FoldedText, end: number): string => {
  let stop = end + 1
  while (stop < text.length && stop - end <= maxDeterminerLength && text.units[stop] !== SPACE) {
    if (text.written[stop++] !== WRITTEN_LOWER) return ""
  }
  return text.units[stop] === SPACE ? sliceUnits(text, end + 1, stop) : ""
}

/**
 * Whether the verb at `[start, end)` is a command: it opens the sentence with one capital, and an article or a
 * possessive in lower case follows. In a product's name, the second word would also have a capital.
 */
export const opensCommand = (text: FoldedText, start: number, end: number): boolean =>
  end < text.length && text.units[end] === SPACE && text.written[start + 1] === WRITTEN_LOWER &&
  determiners.has(wordAfter(text, end)) && opensSentence(text, start)
