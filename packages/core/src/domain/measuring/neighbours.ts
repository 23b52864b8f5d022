/** Finds the words before and after a range of folded text. */
import { CLASS_NONE, classOf } from "./characters.ts"
import type { FoldedText } from "./comparisonForm.ts"
import { sliceUnits, SPACE } from "./offsetText.ts"

const maxWordLength = 20
const HYPHEN = 0x2d

/** The end of the word after a space or a hyphen at `end`; `end` itself if there is no such word. */
export const endOfNext = ({ length, units }: FoldedText, end: number): number => {
  if (end >= length || (units[end] !== SPACE && units[end] !== HYPHEN)) return end
  let stop = end + 1
  while (stop < length && stop - end <= maxWordLength && classOf(units[stop]!) !== CLASS_NONE) stop++
  return stop
}

/** The word after a space or a hyphen at `end`, else an empty string. */
export const wordAfter = (text: FoldedText, end: number): string => {
  const stop = endOfNext(text, end)
  return stop === end ? "" : sliceUnits(text, end + 1, stop)
}

/** The word before a space that precedes `start`, else an empty string. */
export const wordBefore = (text: FoldedText, start: number): string => {
  const { units } = text
  if (start < 2 || units[start - 1] !== SPACE) return ""
  let from = start - 1
  while (from > 0 && start - from <= maxWordLength && classOf(units[from - 1]!) !== CLASS_NONE) from--
  return sliceUnits(text, from, start - 1)
}
